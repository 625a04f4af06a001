/** A value once it has not changed for a moment, so that what is asked for while somebody types is not asked at each key. */
import { useEffect, useState } from 'react';

const settleMs = 250;

export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
