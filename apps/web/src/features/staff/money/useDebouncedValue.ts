/** Returns `value` once it has stopped changing, so that a request is not sent for each key. */
import { useEffect, useState } from 'react';

const debounceMs = 250;

export function useDebouncedValue<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
