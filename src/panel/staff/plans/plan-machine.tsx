// The size of a virtual machine on a plan, in the form of the plan.
import { Fieldset, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { PricePlanCreateInput } from '#sdk/operator.ts';
import type { FormFields } from '../../parts/form-fields.ts';
import { t } from '../../text/text.ts';
import type { Plan } from './plan.ts';

const numbers = ['vcpus', 'memorymb', 'diskgb', 'bandwidthgb'] as const;
const choices = ['type', 'size'] as const;
const blockSizes = ['/32', '/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64'];
const types = [
  { value: '', label: t('Any') },
  { value: 'Xen', label: t('Full machine') },
  { value: 'OpenVZ', label: t('Container') },
];

export type MachineValues = Pick<Plan, (typeof numbers)[number] | (typeof choices)[number] | 'order'>;

export function machineValues(plan: Plan | undefined): MachineValues {
  const { vcpus = '', memorymb = '', diskgb = '', bandwidthgb = '', type = '', size = '', order = false } = plan ?? {};
  return { vcpus, memorymb, diskgb, bandwidthgb: bandwidthgb === '0' ? '' : bandwidthgb, type, size, order };
}

/** Empty fields are left out. */
export function machineInput(values: MachineValues): Partial<PricePlanCreateInput> {
  const given = (name: keyof MachineValues) => String(values[name]).trim() !== '';
  return {
    ...Object.fromEntries(numbers.filter(given).map((name) => [name, Number(values[name])])),
    ...Object.fromEntries(choices.filter(given).map((name) => [name, values[name]])),
    ...(values.order ? { order: true } : {}),
  };
}

export function MachineFields<Values extends MachineValues>({
  fields,
}: {
  readonly fields: FormFields<Values>;
}): JSX.Element {
  const { values, input, errorOf } = fields;
  const set = (change: Partial<MachineValues>): void => fields.set(change as Partial<Values>);
  return (
    <Fieldset legend={t('Virtual machine')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <TextInput label={t('Processors')} inputMode="numeric" {...input('vcpus')} />
        <TextInput label={t('Memory in MB')} inputMode="numeric" {...input('memorymb')} />
        <TextInput label={t('Disk in GB')} inputMode="numeric" {...input('diskgb')} />
        <TextInput label={t('Traffic in GB per month')} inputMode="numeric" {...input('bandwidthgb')} />
        <Select
          label={t('Address block')}
          data={blockSizes}
          value={values.size || '/30'}
          allowDeselect={false}
          error={errorOf('size')}
          onChange={(size) => set({ size: size ?? '' })}
        />
        <Select
          label={t('Systems')}
          data={types}
          value={values.type}
          allowDeselect={false}
          error={errorOf('type')}
          onChange={(type) => set({ type: type ?? '' })}
        />
      </SimpleGrid>
      <Switch
        mt="sm"
        label={t('Customers can order it')}
        checked={values.order}
        error={errorOf('order')}
        onChange={({ currentTarget }) => set({ order: currentTarget.checked })}
      />
    </Fieldset>
  );
}
