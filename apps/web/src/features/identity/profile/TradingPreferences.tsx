/** Trading preferences of this browser. Each switch applies at once. */
import { setPreference, usePreference } from '../../../shared/preferences/index.ts';
import { Section, Switch } from '../../../shared/ui/index.ts';

const switches = [
  {
    name: 'confirmsOrders',
    label: 'Confirm orders',
    effect: 'Buy/Long and Sell/Short ask once more, with the figures, before an order is sent.',
  },
  {
    name: 'tradingKeys',
    label: 'Trading keys',
    effect: 'On the trading screen, keys place, close and cancel orders. Press ? there to see them.',
  },
] as const;

function PreferenceSwitch({ name, label, effect }: (typeof switches)[number]) {
  const checked = usePreference(name);
  return (
    <div>
      <Switch label={label} checked={checked} onChange={(next) => setPreference(name, next)} />
      <p className="pr-12 text-12 text-text-2">{effect}</p>
    </div>
  );
}

export function TradingPreferences() {
  return (
    <Section title="Trading" lead="Stored in this browser.">
      <div className="flex max-w-lg flex-col gap-4">
        {switches.map((one) => (
          <PreferenceSwitch key={one.name} {...one} />
        ))}
      </div>
    </Section>
  );
}
