// Provisions a new service: a free server or a VM, its addresses and its billing terms.
import { Fieldset, SegmentedControl, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { ServiceProvisionInput } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { Form } from '../../parts/form.tsx';

export interface ProvisionFormProps {
  readonly close: () => void;
  readonly onCreated: (service: string) => void;
}

const initialValues = {
  account: '',
  type: 'dedicated' as ServiceProvisionInput['type'],
  name: '',
  hostname: '',
  size: '',
  server: '',
  template: '',
  vcpus: '1',
  memorymb: '1024',
  diskgb: '20',
  bandwidthgb: '',
  plan: '',
  price: '',
  setup: '',
  cycle: 'monthly',
};
const vmFields = new Set(['template', 'vcpus', 'memorymb', 'diskgb', 'bandwidthgb']);

export function ProvisionForm({ close, onCreated }: ProvisionFormProps): JSX.Element {
  const fields = useFormFields(initialValues);
  const provision = useStaffChange('serviceProvision', { successMessage: 'Provisioning started' });
  const { values, set, input } = fields;
  const isVm = values.type !== 'dedicated';
  const send = async (): Promise<void> => {
    const isRelevant = (name: string): boolean =>
      name === 'server' ? !isVm : vmFields.has(name) ? isVm : name !== 'cycle' || values.price !== '';
    const filled = Object.entries(values).filter(([name, value]) => value.trim() !== '' && isRelevant(name));
    const { service } = await provision.mutateAsync(Object.fromEntries(filled) as unknown as ServiceProvisionInput);
    close();
    onCreated(service);
  };
  return (
    <Form fields={fields} submitLabel="Provision" onSubmit={send} onCancel={close}>
      <SegmentedControl
        aria-label="Type"
        data={Object.entries(serviceTypeLabels).map(([value, label]) => ({ value, label }))}
        value={values.type}
        onChange={(type) => set({ type: type as ServiceProvisionInput['type'] })}
        fullWidth
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="Customer" description="Customer number" required inputMode="numeric" {...input('account')} />
        <TextInput label="Product" description="Shown on invoices" required {...input('name')} />
        <TextInput label="Hostname" required placeholder="web1.example.net" {...input('hostname')} />
        <Select
          label="IP addresses"
          placeholder="Default"
          data={['/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64']}
          value={values.size === '' ? null : values.size}
          onChange={(size) => set({ size: size ?? '' })}
          error={fields.errorOf('size')}
          clearable
          clearButtonProps={{ 'aria-label': 'Default' }}
        />
      </SimpleGrid>
      {isVm ? <VmFields input={input} /> : <ServerField fields={fields} />}
      <Fieldset legend="Billing (leave the price empty for a free service)">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label="Plan" {...input('plan')} />
          <TextInput label="Price" placeholder="89.00" inputMode="decimal" {...input('price')} />
          <TextInput label="Setup fee" placeholder="0.00" inputMode="decimal" {...input('setup')} />
          <Select
            label="Billing cycle"
            data={[
              { value: 'monthly', label: 'Monthly' },
              { value: 'quarterly', label: 'Quarterly' },
              { value: 'yearly', label: 'Yearly' },
            ]}
            value={values.cycle}
            allowDeselect={false}
            onChange={(cycle) => set({ cycle: cycle ?? 'monthly' })}
          />
        </SimpleGrid>
      </Fieldset>
    </Form>
  );
}

type Fields = ReturnType<typeof useFormFields<typeof initialValues>>;

function ServerField({ fields }: { fields: Fields }): JSX.Element {
  const servers = useStaffRead('deviceList', { kind: 'server', limit: 1000 });
  const free = (servers.data ?? []).filter(({ state }) => state === 'available').map(({ device }) => device);
  return (
    <Select
      label="Server"
      description={free.length === 0 && servers.data !== undefined ? 'No free servers' : 'Free servers'}
      required
      searchable
      data={free}
      nothingFoundMessage="No results"
      value={fields.values.server === '' ? null : fields.values.server}
      onChange={(server) => fields.set({ server: server ?? '' })}
      error={fields.errorOf('server')}
    />
  );
}

function VmFields({ input }: Pick<Fields, 'input'>): JSX.Element {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput label="Template" required placeholder="debian-12" {...input('template')} />
      <TextInput label="vCPUs" required inputMode="numeric" {...input('vcpus')} />
      <TextInput label="Memory (MB)" required inputMode="numeric" {...input('memorymb')} />
      <TextInput label="Disk (GB)" required inputMode="numeric" {...input('diskgb')} />
      <TextInput label="Monthly traffic (GB)" inputMode="numeric" {...input('bandwidthgb')} />
    </SimpleGrid>
  );
}
