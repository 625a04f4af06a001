/** The page of `e2e/shell/form-dialog.spec.ts`: one dialog, chosen by the address. */
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { FormDialog } from '../src/shared/form/FormDialog.tsx';
import { useSubmission } from '../src/shared/form/index.ts';
import { SelectField } from '../src/shared/form/SelectField.tsx';
import { Checkbox, Segmented, TextField } from '../src/shared/ui/index.ts';

const options = [
  { value: 'buy', label: 'Buy' },
  { value: 'sell', label: 'Sell' },
] as const;
const nothing = () => {};
const choices = (
  <>
    <Segmented label="Side" options={options} value="buy" onChange={nothing} />
    <Checkbox checked={false} onChange={nothing}>
      Repeat
    </Checkbox>
  </>
);
const amount = <TextField name="amount" label="Amount" />;

const forms: Readonly<Record<string, ReactNode>> = {
  '#radio-first': (
    <>
      {choices}
      {amount}
    </>
  ),
  '#select-first': (
    <>
      <SelectField label="Kind" options={options} />
      {amount}
    </>
  ),
  '#no-field': choices,
};

function Shown() {
  const submission = useSubmission({ names: [], check: () => ({}), send: async () => null });
  return (
    <FormDialog title="Form" submission={submission} submit="Submit" onClose={nothing}>
      {forms[location.hash]}
    </FormDialog>
  );
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Shown />);
