/** The listeners of a module's state: each subscribes, as `useSyncExternalStore` does, and a change notifies all of them. */
export function createListeners() {
  const listeners = new Set<() => unknown>();
  return {
    /** Returns the function that ends the subscription. */
    subscribe: (listener: () => unknown): (() => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    notify: (): void => {
      for (const listener of listeners) listener();
    },
  };
}
