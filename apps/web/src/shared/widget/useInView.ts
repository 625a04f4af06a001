/** Whether an element is in or near the viewport. */
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The distance from the viewport that counts as near. */
const preloadMargin = '200px 0px';

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
      { rootMargin: preloadMargin },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, inView];
}
