/** The admin's own account, as a tab of the console (ADMIN-90). */
import { OwnProfile } from './OwnProfile.tsx';

export function ProfileTab() {
  return (
    <div className="mx-auto w-full max-w-[1000px] px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>Profile · Fulcrum</title>
      <h1 className="mb-4 text-20 font-semibold tracking-[-0.01em] max-md:px-1">Profile</h1>
      <OwnProfile />
    </div>
  );
}
