/**
 * Keeps the screen on while the user has chosen that. Invariant: `isOn` is what the browser does, not what was chosen: it takes the lock back when the
 * page is hidden, and gets it again when the page is shown.
 */
import { useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';

export function useWakeLock() {
  const [isChosen, setChosen] = useState(false);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isChosen) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    async function acquire(): Promise<void> {
      if (document.visibilityState !== 'visible') return;
      try {
        const acquired = await navigator.wakeLock.request('screen');
        if (isOver) return await acquired.release();
        lock = acquired;
        setOn(true);
        acquired.addEventListener('release', () => setOn(false));
      } catch (cause) {
        log.warn('The browser refused to keep the screen on', cause);
        setOn(false);
      }
    }
    const acquireAgain = () => void acquire();
    document.addEventListener('visibilitychange', acquireAgain);
    void acquire();
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', acquireAgain);
      setOn(false);
      lock?.release().catch((cause: unknown) => log.warn('Releasing the screen failed', cause));
    };
  }, [isChosen]);
  return { isChosen, isOn, isPossible: 'wakeLock' in navigator, setChosen } as const;
}
