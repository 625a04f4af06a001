/** Whether an element is on screen or about to be. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** How far off the screen counts as about to be seen. */
export const ahead = '200px 0px';

export function useInView<Shown extends Element = HTMLElement>(): readonly [
  RefObject<Shown | null>,
  boolean,
] {
  const ref = useRef<Shown>(null);
  const [inView, setInView] = useState(false);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: ahead },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, inView];
}
