/**
 * What a session's user agent says about where it runs, in the words of its owner. Only families are told apart; versions
 * change too often to be recognised.
 *
 * Known limitations: a tablet that asks for desktop pages says that it is a computer, and whoever writes the header
 * decides what it says.
 */

export interface Device {
  readonly kind: 'computer' | 'phone' | 'tablet' | 'program' | 'unknown';
  /** 'Chrome on Windows', 'curl', 'Unknown device'. */
  readonly name: string;
}

/** In this order: most browsers also name the ones that they descend from. */
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

export function deviceOf(userAgent: string | null): Device {
  const said = userAgent?.trim() ?? '';
  if (said === '') return { kind: 'unknown', name: 'Unknown device' };
  const browser = browsers.find(([pattern]) => pattern.test(said))?.[1];
  const [, system, kind = 'unknown'] = systems.find(([pattern]) => pattern.test(said)) ?? [];
  if (browser) return { kind, name: system ? `${browser} on ${system}` : browser };
  if (system) return { kind, name: system };
  // A script or a tool names itself first: 'curl/8.5.0'.
  const [program = said] = said.split(/[\s/]/, 1);
  return { kind: 'program', name: program.slice(0, nameLengthMax) };
}
