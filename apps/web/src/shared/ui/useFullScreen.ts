/** Shows the element of `ref` on the full screen, where the browser can. */
import { useEffect, useRef, useState } from 'react';
import { log } from '../log/log.ts';

export function useFullScreen<Shown extends HTMLElement>() {
  const ref = useRef<Shown>(null);
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const updateState = () =>
      setFull(document.fullscreenElement !== null && document.fullscreenElement === ref.current);
    document.addEventListener('fullscreenchange', updateState);
    return () => document.removeEventListener('fullscreenchange', updateState);
  }, []);
  const toggle = async () => {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await ref.current?.requestFullscreen();
    } catch (cause) {
      log.warn('The full screen was refused', cause);
    }
  };
  return { ref, isFull, toggle, isPossible: document.fullscreenEnabled } as const;
}
