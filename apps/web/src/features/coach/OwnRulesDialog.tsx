/** The user's own rules: the share that one trade may risk, which rules the coach looks at, and whether it writes a recap of each week. */
import {
  type CoachRuleId,
  coachRules,
  isRiskShareMax,
  type OwnRulesSetting,
  recapTradesMin,
  warningRules,
} from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../shared/form/useSubmission.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Switch, TextField } from '../../shared/ui/index.ts';
import { ownRulesKey, saveOwnRules } from './own-rules.ts';
import { parseRiskShare } from './risk-share.ts';

interface RuleSwitchesProps {
  readonly title: string;
  readonly rules: readonly { readonly id: CoachRuleId; readonly name: string }[];
  readonly off: readonly CoachRuleId[];
  readonly onChange: (off: readonly CoachRuleId[]) => void;
}

function RuleSwitches({ title, rules, off, onChange }: RuleSwitchesProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-13 font-medium">{title}</legend>
      {rules.map(({ id, name }) => (
        <Switch
          key={id}
          label={name}
          checked={!off.includes(id)}
          onChange={(isOn) => onChange(isOn ? off.filter((one) => one !== id) : [...off, id])}
        />
      ))}
    </fieldset>
  );
}

interface OwnRulesDialogProps {
  readonly setting: OwnRulesSetting;
  readonly onClose: () => void;
}

export function OwnRulesDialog({ setting, onClose }: OwnRulesDialogProps) {
  const { user, supabase, accountId } = useSignedIn();
  const cache = useQueryClient();
  const [off, setOff] = useState(setting.off);
  const [recap, setRecap] = useState(setting.recap);
  const submission = useSubmission({
    names: ['share'],
    check: ({ share }) => {
      const value = parseRiskShare(share);
      const isValid = value === null || isRiskShareMax(value);
      return { share: isValid ? null : 'Use a number above 0 and up to 100, with two decimals at most.' };
    },
    send: async ({ share }) => {
      const next = { riskShareMax: parseRiskShare(share), off, recap };
      await saveOwnRules(supabase, next);
      return () => {
        cache.setQueryData(ownRulesKey(user.id), next);
        for (const name of ['trade-review', 'period-review'])
          void cache.invalidateQueries({ queryKey: [name, accountId] });
        onClose();
      };
    },
    failed: () => 'Your rules were not saved. Try again.',
  });
  return (
    <FormDialog
      title="My rules"
      description="Reviews, habits and warnings follow these rules, in reviews for past trades too."
      submission={submission}
      submit="Save rules"
      onClose={onClose}
    >
      <TextField
        {...submission.fieldOf('share')}
        label="At risk in one trade, at most (% of equity)"
        hint="Compared with what the stop loss puts at risk. Leave it empty for no limit."
        inputMode="decimal"
        defaultValue={setting.riskShareMax ?? ''}
      />
      <RuleSwitches title="Rules of the coach" rules={coachRules} off={off} onChange={setOff} />
      <RuleSwitches title="Warnings before an order" rules={warningRules} off={off} onChange={setOff} />
      <div className="flex flex-col gap-1">
        <Switch label="Recap of each week" checked={recap} onChange={setRecap} />
        <p className="text-12 text-text-2">
          {`On Tuesdays, as a notification and in the journal, for a week of at least ${recapTradesMin} trades.`}
        </p>
      </div>
    </FormDialog>
  );
}
