/** The panel under the bell, for the list in it, whose code loads when it is first opened. */
import { createContext } from 'react';

export interface Panel {
  /** The number of unread notifications. */
  readonly unread: number;
  /** Called when a notification leads to another place. */
  readonly onLeave: () => void;
}

export const NotificationPanel = createContext<Panel>({ unread: 0, onLeave: () => {} });
