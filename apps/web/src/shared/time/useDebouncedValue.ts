/** Returns `value` once it has stopped changing for `ms`, so that a request is not sent for each key. */
import { useEffect, useState } from 'react';

export function useDebouncedValue<Value>(value: Value, ms = 250): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
