// Stands in for what lies outside the headless browser: the user's permission and the browser's push service. Its state is in
// the page's storage, so that it survives a reload and a journey can set it. The key is the generator of P-256, a valid point.

{
  const read = (name) => localStorage.getItem(`outside-${name}`);
  const toBytes = (hex) => Uint8Array.from(hex.match(/../g), (byte) => Number.parseInt(byte, 16)).buffer;
  const keys = {
    p256dh:
      '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
      '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
    auth: '00112233445566778899aabbccddeeff',
  };
  Object.defineProperty(Notification, 'permission', { get: () => read('permission') ?? 'default' });
  Notification.requestPermission = async () => {
    if (read('permission') === null) localStorage.setItem('outside-permission', 'granted');
    return Notification.permission;
  };
  const subscription = {
    endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/journey',
    options: { applicationServerKey: null },
    getKey: (name) => toBytes(keys[name]),
    unsubscribe: async () => {
      localStorage.removeItem('outside-subscribed');
      return true;
    },
  };
  PushManager.prototype.getSubscription = async () => (read('subscribed') === null ? null : subscription);
  PushManager.prototype.subscribe = async () => {
    if (read('refuses') !== null)
      throw new DOMException('Registration failed - push service error', 'AbortError');
    localStorage.setItem('outside-subscribed', 'yes');
    return subscription;
  };
}
