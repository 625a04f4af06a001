/** Colours, type, radii and the three up/down palettes, as the tokens define them now. */
import { useState } from 'react';
import {
  choosePalette,
  chooseTheme,
  chosenPalette,
  chosenTheme,
  palettes,
  themes,
} from '../../shared/theme/appearance.ts';
import { Segmented } from '../../shared/ui/index.ts';
import { Part, Row } from './Specimen.tsx';

const surfaces = ['canvas', 'surface', 'raised', 'inset', 'line', 'line-strong', 'line-control'] as const;
const inks = ['text', 'text-2', 'text-3', 'accent', 'up', 'down', 'warn', 'star'] as const;
const tints = ['accent-weak', 'up-weak', 'down-weak', 'warn-weak', 'backdrop'] as const;
const series = ['series-1', 'series-2', 'grid'] as const;
const holdings = Array.from({ length: 10 }, (_, at) => `holding-${at + 1}`);
const sizes = [11, 12, 13, 14, 16, 20, 28, 44, 72] as const;
const radii = ['badge', 'control', 'panel', 'dialog'] as const;

function Swatches({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className="flex flex-wrap gap-3">
      {names.map((name) => (
        <li key={name} className="w-24 text-12">
          <span
            className="block h-12 rounded-control border border-line-strong"
            style={{ background: `var(--${name})` }}
          />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** Shows the sample in each palette, whatever the page's own: the attribute applies to its subtree. */
function PaletteSample({ palette }: { readonly palette: (typeof palettes)[number] }) {
  return (
    <li className="flex items-center gap-3 rounded-control border border-line px-3 py-2 text-13">
      <span className="w-24">{palette}</span>
      <span className={paletteTones[palette].up}>+12.50 gain</span>
      <span className={paletteTones[palette].down}>−12.50 loss</span>
    </li>
  );
}
const paletteTones = {
  'green-up': { up: 'text-(--green)', down: 'text-(--red)' },
  'red-up': { up: 'text-(--red)', down: 'text-(--green)' },
  'colour-blind': { up: 'text-(--blue)', down: 'text-(--orange)' },
} as const;

export function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  const [palette, setPalette] = useState(chosenPalette);
  const options = <Value extends string>(values: readonly Value[]) =>
    values.map((value) => ({ value, label: value }));
  return (
    <div className="flex flex-wrap gap-4">
      <div className="w-60">
        <Segmented
          label="Theme"
          options={options(themes)}
          value={theme}
          onChange={(next) => {
            chooseTheme(next);
            setTheme(next);
          }}
        />
      </div>
      <div className="w-80">
        <Segmented
          label="Up and down colours"
          options={options(palettes)}
          value={palette}
          onChange={(next) => {
            choosePalette(next);
            setPalette(next);
          }}
        />
      </div>
    </div>
  );
}

export function Tokens() {
  return (
    <Part title="Tokens">
      <Swatches names={surfaces} />
      <Swatches names={inks} />
      <Swatches names={tints} />
      <Swatches names={series} />
      <Swatches names={holdings} />
      <ul className="flex flex-wrap gap-3">
        {palettes.map((palette) => (
          <PaletteSample key={palette} palette={palette} />
        ))}
      </ul>
      <ul className="flex flex-col gap-1 overflow-hidden">
        {sizes.map((px) => (
          <li key={px} className="flex items-baseline gap-4 whitespace-nowrap">
            <span className="w-8 text-12 text-text-3">{px}</span>
            <span style={{ fontSize: px, lineHeight: `var(--text-${px}--line-height, 1.1)` }}>
              Price 64,000.50
            </span>
          </li>
        ))}
      </ul>
      <Row label="Radius">
        {radii.map((name) => (
          <span
            key={name}
            style={{ borderRadius: `var(--radius-${name})` }}
            className="grid size-16 place-items-center border border-line-strong bg-raised text-11"
          >
            {name}
          </span>
        ))}
        <span className="grid h-16 w-28 place-items-center rounded-panel bg-raised text-11 shadow-raised">
          shadow
        </span>
      </Row>
    </Part>
  );
}
