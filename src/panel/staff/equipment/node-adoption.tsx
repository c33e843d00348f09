// Machines of a hypervisor that belong to no service, and their adoption for a customer.
import { Alert, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { MachineAdoptInput } from '#sdk/operator.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { CustomerSelect } from '../parts/customer-select.tsx';
import { diskText } from './units.ts';
import { memoryText } from '../../parts/traffic-units.ts';

type Adoptable = StaffResult<'nodeAdoptable'>[number];
type Foreign = StaffResult<'machineInspect'>;

/** Nothing if there are none, or if the hypervisor does not respond, which the page says elsewhere. */
export function NodeAdoption({ node }: { readonly node: string }): JSX.Element | null {
  const { data: machines = [] } = useStaffRead('nodeAdoptable', { name: node });
  const denial = usePermissionDenial()('operator:services');
  if (machines.length === 0) return null;
  const columns: readonly Column<Adoptable>[] = [
    { label: t('Machine'), ff: 'monospace', cell: ({ machine }) => machine },
    {
      label: t('State'),
      cell: ({ power }) => <StateBadge state={power} label={power === 'on' ? t('On') : t('Off')} />,
    },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ machine }) => (
        <FormButton
          isInRow
          disabledReason={denial}
          title={t('Adopt {machine}', { machine })}
          dialogSize="lg"
          form={(close) => <AdoptionForm node={node} machine={machine} close={close} />}
        >
          {t('Adopt')}
        </FormButton>
      ),
    },
  ];
  return (
    <Section title={t('Machines without a service')}>
      <TableCard
        label={t('Machines without a service')}
        columns={columns}
        rows={machines}
        rowKey={({ machine }) => machine}
        minWidth={400}
      />
    </Section>
  );
}

interface AdoptionFormProps {
  readonly node: string;
  readonly machine: string;
  readonly close: () => void;
}

function AdoptionForm(props: AdoptionFormProps): JSX.Element {
  const { node, machine } = props;
  const inspected = useStaffRead('machineInspect', { node, machine });
  return (
    <QueryResult query={inspected} lines={6}>
      {(foreign) => <CustomerForm {...props} foreign={foreign} />}
    </QueryResult>
  );
}

function CustomerForm({ node, machine, close, foreign }: AdoptionFormProps & { readonly foreign: Foreign }) {
  const fields = useFormFields({
    account: '',
    hostname: '',
    plan: '',
    netblock: '',
    template: '',
    bandwidthgb: '',
    filter: false,
  });
  const { data: options } = useStaffRead('serviceOptions', {});
  const adopt = useStaffChange('machineAdopt', { successMessage: t('Machine adopted') });
  const { values, input, set, errorOf } = fields;
  const { vcpus, memorymb, diskgb, limitations } = foreign;
  const pick = (name: 'plan' | 'template', label: string, data: { value: string; label: string }[]) => (
    <Select
      label={label}
      required
      searchable
      data={data}
      value={values[name] || null}
      error={errorOf(name)}
      onChange={(value) => set({ [name]: value ?? '' })}
    />
  );
  return (
    <Form
      fields={fields}
      submitLabel={t('Adopt')}
      close={close}
      onSubmit={async () => {
        const { bandwidthgb, filter, netblock, ...texts } = values;
        const blocks = netblock.split(',').map((block) => block.trim());
        const traffic = bandwidthgb.trim() === '' ? {} : { bandwidthgb: Number(bandwidthgb) };
        await adopt.mutateAsync({ node, machine, ...texts, netblock: blocks, ...traffic, filter } as MachineAdoptInput);
      }}
    >
      <Dimmed>
        {t('{vcpus} vCPU · {memory} memory · {disk} disk. Nothing on the machine changes.', {
          vcpus,
          memory: memoryText(memorymb),
          disk: diskText(diskgb),
        })}
      </Dimmed>
      {limitations.length > 0 && (
        <Alert color="orange" variant="light">
          {limitations.join(' ')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <CustomerSelect value={values.account} onChange={(account) => set({ account })} error={errorOf('account')} />
        <TextInput label={t('Hostname')} required placeholder="web1.example.net" {...input('hostname')} />
        {pick(
          'plan',
          t('Plan'),
          (options?.plans ?? []).map(({ name }) => ({ value: name, label: name })),
        )}
        <TextInput
          label={t('IP addresses that it uses')}
          required
          placeholder="203.0.113.130, 2001:db8:7::/64"
          {...input('netblock')}
        />
        {pick(
          'template',
          t('System'),
          (options?.templates ?? []).map(({ value, name }) => ({ value, label: name })),
        )}
        <TextInput label={t('Traffic in GB per month')} inputMode="numeric" {...input('bandwidthgb')} />
      </SimpleGrid>
      <Switch
        label={t('Only allow the addresses of its service')}
        checked={values.filter}
        error={errorOf('filter')}
        onChange={({ currentTarget }) => set({ filter: currentTarget.checked })}
      />
    </Form>
  );
}
