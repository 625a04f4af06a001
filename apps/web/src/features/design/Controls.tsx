/** Buttons, fields and choices in each of their states, side by side. */
import { MAX_LEVERAGE, MIN_LEVERAGE } from '@fulcrum/domain';
import Star from 'lucide-react/icons/star';
import { useState } from 'react';
import {
  Badge,
  type BadgeTone,
  Button,
  ButtonLink,
  type ButtonSize,
  type ButtonTone,
  Checkbox,
  FormError,
  IconButton,
  PasswordField,
  Segmented,
  SimulatedBadge,
  Slider,
  Spinner,
  Switch,
  TabPanel,
  Tabs,
  TextField,
} from '../../shared/ui/index.ts';
import { Part, Row } from './Specimen.tsx';

const tones: readonly ButtonTone[] = ['primary', 'secondary', 'quiet', 'up', 'down'];
const sizes: readonly ButtonSize[] = ['compact', 'regular', 'large'];
const badgeTones: readonly BadgeTone[] = ['neutral', 'up', 'down', 'warn', 'accent'];

export function Buttons() {
  return (
    <Part title="Buttons">
      {tones.map((tone) => (
        <Row key={tone} label={tone}>
          {sizes.map((size) => (
            <Button key={size} tone={tone} size={size}>
              {size}
            </Button>
          ))}
          <Button tone={tone} muted>
            muted
          </Button>
          <Button tone={tone} pending>
            pending
          </Button>
          <ButtonLink tone={tone} to="/design">
            link
          </ButtonLink>
        </Row>
      ))}
      <Row label="icon">
        <IconButton label="Star">
          <Star size={18} aria-hidden="true" />
        </IconButton>
      </Row>
      <Row label="badges">
        {badgeTones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <SimulatedBadge />
        <SimulatedBadge what="prices" />
      </Row>
      <Row label="spinner">
        <Spinner size={14} />
        <Spinner />
        <Spinner size={28} label="An example of a wait" />
      </Row>
    </Part>
  );
}

export function Fields() {
  const [text, setText] = useState('1.5k');
  return (
    <Part title="Fields">
      <div className="grid gap-4 md:grid-cols-2">
        <TextField label="Empty" placeholder="name@example.com" />
        <TextField label="Filled" value={text} onChange={(event) => setText(event.target.value)} />
        <TextField label="With a hint" hint="At least 3 characters." />
        <TextField label="With an error" error="Email is required" />
        <TextField label="With both" error="Email is invalid" hint="We write to it once." />
        <TextField label="With an action" action={<button type="button">Max</button>} />
        <PasswordField label="Password" autoComplete="off" />
        <TextField label="Read only" value="64,000.50" readOnly />
      </div>
      <FormError>Invalid login credentials</FormError>
    </Part>
  );
}

const stops = [MIN_LEVERAGE, 25, 50, 75, 100, MAX_LEVERAGE] as const;
const units = [
  { value: 'base', label: 'BTC' },
  { value: 'quote', label: 'USDT' },
  { value: 'percent', label: '%' },
] as const;

export function Choices() {
  const [leverage, setLeverage] = useState(25);
  const [unit, setUnit] = useState<(typeof units)[number]['value']>('base');
  const [tab, setTab] = useState<'open' | 'past'>('open');
  const [isOn, setOn] = useState(true);
  const [isOff, setOff] = useState(false);
  return (
    <Part title="Choices">
      <div className="grid gap-6 md:grid-cols-2">
        <Slider
          label="Leverage"
          min={MIN_LEVERAGE}
          max={MAX_LEVERAGE}
          step={1}
          value={leverage}
          onChange={setLeverage}
          stops={stops}
          format={(value) => `${value}×`}
        />
        <Segmented label="Unit" options={units} value={unit} onChange={setUnit} />
        <Row label="compact">
          <Segmented label="Compact unit" options={units} value={unit} onChange={setUnit} size="compact" />
        </Row>
        <div>
          <Switch label="On" checked={isOn} onChange={setOn} note="with a note" />
          <Switch label="Off" checked={isOff} onChange={setOff} />
          <Checkbox checked={isOn} onChange={setOn}>
            Checked
          </Checkbox>
          <span className="ml-4">
            <Checkbox checked={isOff} onChange={setOff}>
              Not checked
            </Checkbox>
          </span>
        </div>
      </div>
      <Tabs
        label="Example tabs"
        tabs={[
          { value: 'open', label: 'Open', count: 3 },
          { value: 'past', label: 'Past' },
        ]}
        value={tab}
        onChange={setTab}
      >
        <TabPanel value="open" className="p-3 text-13">
          What is open.
        </TabPanel>
        <TabPanel value="past" className="p-3 text-13">
          What is over.
        </TabPanel>
      </Tabs>
    </Part>
  );
}
