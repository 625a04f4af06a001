/** Who one is on this server, and how this browser shows it. Editing and KYC are not built yet, and it says so. */
import { useState } from 'react';
import { useSignedIn } from '../../shared/session/index.ts';
import {
  choosePalette,
  chooseTheme,
  chosenPalette,
  chosenTheme,
  type Palette,
  type Theme,
} from '../../shared/theme/appearance.ts';
import { formatDay } from '../../shared/time/dates.ts';
import { Segmented } from '../../shared/ui/index.ts';

const themeOptions: readonly { value: Theme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'system', label: 'System' },
];
const paletteOptions: readonly { value: Palette; label: string }[] = [
  { value: 'green-up', label: 'Green up' },
  { value: 'red-up', label: 'Red up' },
  { value: 'colour-blind', label: 'Blue up' },
];

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  const [palette, setPalette] = useState(chosenPalette);
  const onTheme = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const onPalette = (next: Palette) => {
    choosePalette(next);
    setPalette(next);
  };
  return (
    <section className="panel p-6 max-md:p-4">
      <h2 className="text-14 font-semibold">Appearance</h2>
      <div className="mt-4 grid gap-5 md:grid-cols-2">
        <div>
          <p className="mb-1.5 text-12 font-medium text-text-2">Theme</p>
          <Segmented label="Theme" options={themeOptions} value={theme} onChange={onTheme} />
        </div>
        <div>
          <p className="mb-1.5 text-12 font-medium text-text-2">Gains and losses</p>
          <Segmented label="Gains and losses" options={paletteOptions} value={palette} onChange={onPalette} />
          <p className="mt-2 text-13">
            <span className="text-up">+1.25% gain</span>{' '}
            <span className="ml-3 text-down">{'\u22120.80% loss'}</span>
          </p>
        </div>
      </div>
      <p className="mt-3 text-12 text-text-3">Kept in this browser.</p>
    </section>
  );
}

export default function ProfilePage() {
  const { user } = useSignedIn();
  const facts = [
    ['Username', user.username],
    ['Email', user.email],
    ['Phone number', user.phoneNumber ?? 'None'],
    ['Member since', formatDay(user.createdAt)],
    ['Last login', formatDay(user.lastLogin)],
  ] as const;
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>Profile · Fulcrum</title>
      <section className="panel p-6 max-md:p-4">
        <h1 className="text-16 font-semibold">Profile</h1>
        <dl className="mt-3 divide-y divide-line/65">
          {facts.map(([label, value]) => (
            <div key={label} className="flex justify-between gap-6 py-2 text-13">
              <dt className="text-text-2">{label}</dt>
              <dd className="min-w-0 truncate font-medium">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-3 text-12 text-text-3">
          Changing these, the password and identity verification are planned for this page and not built yet.
        </p>
      </section>
      <Appearance />
    </div>
  );
}
