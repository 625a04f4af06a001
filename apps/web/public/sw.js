// The service worker of push notifications, registered when a trader switches them on (Profile). It shows what the server
// sends and opens the page that a notification belongs to. It caches nothing and answers no request of a page, so the app is
// always the server's current one.

/** The page of a notification; a path that is not of this server leads to the dashboard. */
const toUrl = (path) => {
  const fallback = new URL('/dashboard', self.location.origin);
  if (typeof path !== 'string' || !path.startsWith('/')) return fallback;
  const url = new URL(path, self.location.origin);
  return url.origin === self.location.origin ? url : fallback;
};

const readPush = (data) => {
  try {
    const { id, title, body, path, at } = data.json();
    if (typeof title === 'string' && typeof body === 'string') return { id, title, body, path, at };
  } catch {
    // Not of this server's form; browsers demand that each push is shown.
  }
  return { title: 'Fulcrum', body: 'You have a new notification.' };
};

const getTabs = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { id, title, body, path, at } = readPush(event.data);
  const show = async () => {
    // The open page has a notice of its own.
    const isInView = (await getTabs()).some(({ focused }) => focused);
    await self.registration.showNotification(title, {
      body,
      silent: isInView,
      icon: '/icons/app-192.png',
      badge: '/icons/badge-96.png',
      // A repeat of the same notification replaces it.
      ...(typeof id === 'string' && { tag: id }),
      ...(typeof at === 'number' && { timestamp: at }),
      data: { path: toUrl(path).href.slice(self.location.origin.length) },
    });
  };
  event.waitUntil(show());
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = toUrl(event.notification.data?.path);
  const open = async () => {
    const tab = (await getTabs()).find((one) => one.url === url.href);
    await (tab ? tab.focus() : self.clients.openWindow(url.href));
  };
  event.waitUntil(open());
});
