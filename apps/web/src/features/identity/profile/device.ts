/**
 * Describes a session's user agent for its owner. It distinguishes only families, because versions change too often.
 *
 * Known limitations: a tablet that requests desktop pages identifies as a computer, and a client can send any header.
 */

export interface Device {
  readonly kind: 'computer' | 'phone' | 'tablet' | 'program' | 'unknown';
  /** 'Chrome on Windows', 'curl', 'Unknown device'. */
  readonly name: string;
}

/** In this order: most browsers also name those they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];

type Kind = Device['kind'];
const systems: readonly (readonly [RegExp, string, Kind])[] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bWindows\b/, 'Windows', 'computer'],
  [/\bMac OS X\b/, 'macOS', 'computer'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
];

const nameLengthMax = 40;

export function parseDevice(userAgent: string | null): Device {
  const agentText = userAgent?.trim() ?? '';
  if (agentText === '') return { kind: 'unknown', name: 'Unknown device' };
  const browser = browsers.find(([pattern]) => pattern.test(agentText))?.[1];
  const [, system, kind = 'unknown'] = systems.find(([pattern]) => pattern.test(agentText)) ?? [];
  if (browser) return { kind, name: system ? `${browser} on ${system}` : browser };
  if (system) return { kind, name: system };
  // A script or a tool names itself first: 'curl/8.5.0'.
  const [program = agentText] = agentText.split(/[\s/]/, 1);
  return { kind: 'program', name: program.slice(0, nameLengthMax) };
}
