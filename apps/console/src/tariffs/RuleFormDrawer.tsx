import {
  changeTariff,
  createTariff,
  getTariff,
  getTariffVersions,
  listStationTariffs,
  listTariffs,
  type Tariff as Rule,
} from '@voltdeck/contract/tariffs';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import { readTariff, type TariffFault } from '@voltdeck/tariffs/check-tariff';
import { longestRunHoursMax, powerMeasures, stepLengthsMinutes } from '@voltdeck/tariffs/tariff';
import type { TariffId } from '@voltdeck/units/id';
import { Alert, DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd';
import type { Dayjs } from 'dayjs';
import { type CallArguments, call } from '../api/call.ts';
import { useAnswer, useRefresh } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { useSession } from '../session/session.ts';
import { FormDrawer, useTouchForm } from '../ui/FormDrawer.tsx';
import { recordChoicesOf } from '../ui/form/record-choices-of.ts';
import { isoOfWallTime, wallTimeOf } from '../ui/list/wall-time.ts';
import { RecordSelect } from '../ui/RecordSelect.tsx';
import { ChoicesEditor } from './ChoicesEditor.tsx';
import { PriceGrid } from './PriceGrid.tsx';
import { draftOf, newRule, type RuleValues, ruleShapes, shapeOf, valuesOfRule } from './rule-values.ts';
import { SampleBill } from './SampleBill.tsx';
import { SlotsEditor } from './SlotsEditor.tsx';
import { StepFee, TiersEditor } from './TiersEditor.tsx';
import styles from './tariffs.module.css';

export type RuleTask = { kind: 'add' } | { kind: 'edit'; rule: Rule } | { kind: 'copy'; rule: Rule };

const drawerWidthPx = 1_080;

/** The shapes that a rule may change to: its engine stays. */
function shapesFor(task: RuleTask) {
  if (task.kind !== 'edit') return ruleShapes;
  return ruleShapes.filter((shape) => (shape === 'periods' || shape === 'energy') === (task.rule.kind === 'energy'));
}

function wordsOf(task: RuleTask) {
  switch (task.kind) {
    case 'add':
      return { title: phrase('tariffs.add'), draft: 'tariff add', submitLabel: phrase('tariffs.add') };
    case 'copy':
      return {
        title: phrase('tariffs.copyTitle', { name: task.rule.name }),
        draft: `tariff copy ${task.rule.ruleId}`,
        submitLabel: phrase('tariffs.add'),
      };
    case 'edit':
      return {
        title: phrase('tariffs.editTitle', { name: task.rule.name }),
        draft: `tariff ${task.rule.ruleId}`,
        submitLabel: phrase('tariffs.save'),
      };
  }
}

function initialOf(task: RuleTask): RuleValues {
  if (task.kind === 'add') return newRule;
  const values = valuesOfRule(task.rule);
  return task.kind === 'edit' ? values : { ...values, name: phrase('tariffs.copyName', { name: task.rule.name }) };
}

function faultText({ code, params }: TariffFault): string {
  return phrase(`field.${code}`, params);
}

/** The faults below one field, for a field that holds a whole list. */
function faultsAt(values: RuleValues, field: 'slots' | 'tiers' | 'prepayment'): string[] {
  const read = readTariff(draftOf(values));
  if (read.ok) return [];
  return [...new Set(read.error.filter(({ path }) => path[0] === field).map(faultText))];
}

type Props = { task: RuleTask; open: boolean; onClose: () => void; onSaved: (rule: Rule) => void };

/** The rule as it is in force now: the caller may have read it long ago, and others may change it under the form. */
function useLatest(task: RuleTask, open: boolean): RuleTask {
  const isEdit = task.kind === 'edit' && open;
  const id = task.kind === 'add' ? (0 as TariffId) : task.rule.id;
  const versions = useAnswer(getTariffVersions, { params: { id } }, { enabled: isEdit });
  const inForceId = versions.data?.items.find(({ state }) => state === 'in_force')?.id ?? id;
  const latest = useAnswer(getTariff, { params: { id: inForceId } }, { enabled: isEdit && inForceId !== id });
  return isEdit && latest.data !== undefined && inForceId !== id ? { ...task, rule: latest.data } : task;
}

const fieldNames: Readonly<Record<string, PhraseKey>> = {
  name: 'tariffs.name',
  note: 'tariffs.note',
  shape: 'tariffs.shape',
  prices: 'tariffs.prices',
  slots: 'tariffs.day',
  tiers: 'tariffs.prices',
  stepMinutes: 'tariffs.step',
  measuredBy: 'tariffs.measuredBy',
  longestRunHours: 'tariffs.longestRun',
  prepayment: 'tariffs.prepayment',
};

function fieldName(field: string): string {
  const name = fieldNames[field];
  return name === undefined ? field : phrase(name);
}

/** Adds, copies or changes a billing rule: the prices, the 24 hours drawn and typed, and a sample bill beside them. */
export default function RuleFormDrawer({ task: asked, open, onClose, onSaved }: Props) {
  const task = useLatest(asked, open);
  const [form] = Form.useForm<RuleValues>();
  const refresh = useRefresh();
  const { title, draft, submitLabel } = wordsOf(task);
  const initial = initialOf(task);
  const watched = Form.useWatch([], form) as Partial<RuleValues> | undefined;
  const values: RuleValues = { ...initial, ...watched };

  const send = (typed: RuleValues, idempotencyKey: string): Promise<Rule> => {
    const all = { ...initial, ...typed };
    const { kind, ...prices } = draftOf(all);
    const common = { name: all.name, note: all.note ?? '', kind, ...prices };
    const given = { idempotencyKey, quiet: true };
    if (task.kind !== 'edit') {
      const body = { ...common, ...(all.agentId === undefined ? {} : { agentId: all.agentId }) };
      return call(createTariff, ...([{ body, ...given }] as unknown as CallArguments<typeof createTariff>));
    }
    const later = all.when === 'later' && all.takesEffectAt !== undefined ? { takesEffectAt: all.takesEffectAt } : {};
    const body = { ...common, basedOnId: task.rule.id, ...later };
    const params = { id: task.rule.id };
    return call(changeTariff, ...([{ params, body, ...given }] as unknown as CallArguments<typeof changeTariff>)).catch(
      (failure: unknown) => {
        // Whoever changed it meanwhile: the form follows what they wrote.
        void refresh(getTariffVersions);
        throw failure;
      },
    );
  };

  return (
    <FormDrawer<RuleValues, Rule>
      title={title}
      open={open}
      onClose={onClose}
      form={form}
      initial={initial}
      draftKey={draft}
      {...(task.kind === 'edit' ? { follows: { nameOf: fieldName } } : {})}
      widthPx={drawerWidthPx}
      submitLabel={submitLabel}
      fieldOf={{ 'tariff.effective_at_taken': 'takesEffectAt' }}
      submit={send}
      onDone={(rule) => {
        void refresh(listTariffs, getTariff, getTariffVersions, listStationTariffs);
        onSaved(rule);
      }}
    >
      <div className={styles.editor}>
        <div className={styles.editorMain}>
          <About task={task} />
          <Form.Item
            required
            name="shape"
            label={phrase('tariffs.shape')}
            extra={phrase(`tariffs.shapeHint.${values.shape}`)}
          >
            <Radio.Group
              optionType="button"
              options={shapesFor(task).map((shape) => ({ value: shape, label: phrase(`tariffs.shape.${shape}`) }))}
            />
          </Form.Item>
          {values.shape === 'periods' ? <ByPeriods values={values} form={form} /> : null}
          {values.shape === 'energy' ? (
            <>
              <h3 className={styles.heading}>{phrase('tariffs.prices')}</h3>
              <PriceGrid values={values} only="flat" />
            </>
          ) : null}
          {values.shape === 'time' || values.shape === 'power' ? <ByTime values={values} /> : null}
          {values.shape === 'periods' ? null : <PaidBefore values={values} />}
          {task.kind === 'edit' ? <TakesEffect rule={task.rule} values={values} /> : null}
        </div>
        <aside className={styles.editorSide}>
          <SampleBill draft={draftOf(values)} />
        </aside>
      </div>
    </FormDrawer>
  );
}

function About({ task }: { task: RuleTask }) {
  const { user } = useSession();
  const mayChooseAgent = user.dataScope === 'platform' || user.dataScope === 'agent_tree';
  return (
    <div className={styles.about}>
      <Form.Item
        name="name"
        label={phrase('tariffs.name')}
        rules={[{ required: true, whitespace: true, message: phrase('field.required') }]}
      >
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
      {task.kind !== 'edit' && mayChooseAgent ? (
        <Form.Item name="agentId" label={phrase('tariffs.agent')} extra={phrase('tariffs.agentHint')}>
          <RecordSelect
            optional
            choices={recordChoicesOf('agentId')}
            {...(task.kind === 'copy' ? { name: task.rule.agentName } : {})}
          />
        </Form.Item>
      ) : null}
      <Form.Item name="note" label={phrase('tariffs.note')}>
        <Input maxLength={200} autoComplete="off" placeholder={phrase('tariffs.notePlaceholder')} />
      </Form.Item>
    </div>
  );
}

type FormOf = ReturnType<typeof Form.useForm<RuleValues>>[0];

function ByPeriods({ values, form }: { values: RuleValues; form: FormOf }) {
  const touch = useTouchForm();
  const copySlots = async (id: number) => {
    const { detail } = await call(getTariff, { params: { id: id as TariffId } });
    if (detail.kind !== 'energy') return;
    form.setFieldsValue({ slots: detail.slots });
    touch();
  };
  return (
    <>
      <h3 className={styles.heading}>{phrase('tariffs.prices')}</h3>
      <PriceGrid values={values} />
      <h3 className={styles.heading}>{phrase('tariffs.day')}</h3>
      <div className={styles.template}>
        <RecordSelect
          choices={{ search: searchEnergyRules }}
          label={phrase('tariffs.template')}
          onChange={(id) => {
            if (id !== undefined) void copySlots(id);
          }}
        />
      </div>
      <Form.Item
        name="slots"
        rules={[{ validator: () => refusalOf(faultsAt({ ...values, ...form.getFieldsValue() }, 'slots')) }]}
      >
        <SlotsEditor priceOf={(period) => values.prices[period] ?? {}} />
      </Form.Item>
    </>
  );
}

const templatesMax = 20;

/** Rules whose periods of the day can be taken over. */
async function searchEnergyRules(text: string, signal: AbortSignal) {
  const { items } = await call(listTariffs, {
    query: { name: text, kind: ['energy'], pageSize: templatesMax },
    signal,
  });
  return items
    .filter(({ detail }) => shapeOf(detail) === 'periods')
    .map(({ id, name }) => ({ value: String(id), label: name }));
}

function refusalOf(faults: readonly string[]): Promise<void> {
  return faults.length === 0 ? Promise.resolve() : Promise.reject(new Error(faults.join(' · ')));
}

function ByTime({ values }: { values: RuleValues }) {
  const form = Form.useFormInstance<RuleValues>();
  const validator = () => refusalOf(faultsAt({ ...values, ...form.getFieldsValue() }, 'tiers'));
  return (
    <>
      <h3 className={styles.heading}>{phrase('tariffs.prices')}</h3>
      <div className={styles.about}>
        <Form.Item required name="stepMinutes" label={phrase('tariffs.step')} extra={phrase('tariffs.stepHint')}>
          <Select
            options={stepLengthsMinutes.map((minutes) => ({
              value: minutes,
              label: phrase('tariffs.minutes', { minutes }),
            }))}
          />
        </Form.Item>
        <Form.Item
          name="longestRunHours"
          label={phrase('tariffs.longestRun')}
          extra={phrase('tariffs.longestRunHint')}
          rules={[{ required: true, message: phrase('field.required') }]}
        >
          <InputNumber<number> min={1} max={longestRunHoursMax} precision={0} style={{ width: '100%' }} />
        </Form.Item>
        {values.shape === 'power' ? (
          <Form.Item required name="measuredBy" label={phrase('tariffs.measuredBy')}>
            <Radio.Group
              optionType="button"
              options={powerMeasures.map((measure) => ({ value: measure, label: phrase(`power-measure.${measure}`) }))}
            />
          </Form.Item>
        ) : null}
      </div>
      <Form.Item name="tiers" rules={[{ validator }]}>
        {values.shape === 'power' ? (
          <TiersEditor stepMinutes={values.stepMinutes} />
        ) : (
          <OneFee minutes={values.stepMinutes} />
        )}
      </Form.Item>
    </>
  );
}

function PaidBefore({ values }: { values: RuleValues }) {
  const form = Form.useFormInstance<RuleValues>();
  const validator = () => refusalOf(faultsAt({ ...values, ...form.getFieldsValue() }, 'prepayment'));
  return (
    <>
      <h3 className={styles.heading}>{phrase('tariffs.prepayment')}</h3>
      <Form.Item name="prepayment" rules={[{ validator }]}>
        <ChoicesEditor />
      </Form.Item>
    </>
  );
}

type OneFeeProps = {
  value?: RuleValues['tiers'];
  onChange?: (tiers: RuleValues['tiers']) => void;
  minutes: number;
};

/** The fee of a step whatever the power: a single tier. */
function OneFee({ value = [], onChange, minutes }: OneFeeProps) {
  const label = phrase('tariffs.tierFeeHead', { minutes });
  return (
    <div className={styles.oneFee}>
      <span aria-hidden="true">{label}</span>
      <StepFee
        label={label}
        value={value[0]?.feeFenPerStep}
        onChange={(feeFenPerStep) => onChange?.([{ fromW: 0, toW: null, feeFenPerStep }])}
      />
    </div>
  );
}

function TakesEffect({ rule, values }: { rule: Rule; values: RuleValues }) {
  return (
    <>
      <h3 className={styles.heading}>{phrase('tariffs.takesEffect')}</h3>
      <Form.Item name="when">
        <Radio.Group
          aria-label={phrase('tariffs.takesEffect')}
          options={[
            { value: 'now', label: phrase('tariffs.now') },
            { value: 'later', label: phrase('tariffs.later') },
          ]}
        />
      </Form.Item>
      {values.when === 'later' ? (
        <Form.Item
          name="takesEffectAt"
          label={phrase('tariffs.takesEffectAt')}
          rules={[
            { required: true, message: phrase('field.required') },
            {
              validator: (_, iso: string | undefined) =>
                iso !== undefined && Date.parse(iso) <= Date.now()
                  ? Promise.reject(new Error(phrase('tariffs.notInThePast')))
                  : Promise.resolve(),
            },
          ]}
        >
          <WallTime />
        </Form.Item>
      ) : null}
      <Alert
        type="info"
        showIcon
        title={phrase(values.when === 'now' ? 'tariffs.effectNow' : 'tariffs.effectLater', {
          count: rule.stationCount,
        })}
        description={phrase('tariffs.effectText')}
      />
    </>
  );
}

type WallTimeProps = { id?: string; value?: string; onChange?: (iso: string | undefined) => void };

/** An instant as clocks in Shanghai show it. */
function WallTime({ id, value, onChange }: WallTimeProps) {
  return (
    <DatePicker
      {...(id === undefined ? {} : { id })}
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm"
      style={{ width: '100%' }}
      value={wallTimeOf(value)}
      onChange={(wall: Dayjs | null) => onChange?.(wall === null ? undefined : isoOfWallTime(wall.second(0)))}
    />
  );
}
