import './shared/theme/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { log, logWindowErrors } from './shared/log/log.ts';
import { followOtherTabs, startSession } from './shared/session/index.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

logWindowErrors(window);
followOtherTabs();
startSession().catch((cause: unknown) => log.error('The session could not be started', cause));
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
