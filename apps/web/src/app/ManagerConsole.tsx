/** The manager page with the classes beneath it: a class is acted on by the bulk actions of staff, so staff cannot import it. */
import { lazy, Suspense } from 'react';
import ManagerPage from '../features/staff/manager/ManagerPage.tsx';

const TaughtClasses = lazy(() => import('../features/classes/TaughtClasses.tsx'));

export default function ManagerConsole() {
  return (
    <ManagerPage>
      <Suspense fallback={null}>
        <TaughtClasses />
      </Suspense>
    </ManagerPage>
  );
}
