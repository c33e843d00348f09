// A new service: a free server or a machine, its addresses, and the terms on which it is billed.
import { Fieldset, SegmentedControl, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { ServiceProvisionInput } from '#sdk/operator.ts';
import { useStaffChange, useStaffRead } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';

export interface ProvisionFormProps {
  readonly close: () => void;
  readonly onMade: (service: string) => void;
}

const nothingTyped = {
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
const ofMachines = new Set(['template', 'vcpus', 'memorymb', 'diskgb', 'bandwidthgb']);

export function ProvisionForm({ close, onMade }: ProvisionFormProps): JSX.Element {
  const fields = useFields(nothingTyped);
  const provision = useStaffChange('serviceProvision', { done: 'The service is on its way.' });
  const { values, set, input } = fields;
  const isMachine = values.type !== 'dedicated';
  const send = async (): Promise<void> => {
    const isMeant = (name: string): boolean =>
      name === 'server' ? !isMachine : ofMachines.has(name) ? isMachine : name !== 'cycle' || values.price !== '';
    const given = Object.entries(values).filter(([name, value]) => value.trim() !== '' && isMeant(name));
    const { service } = await provision.mutateAsync(Object.fromEntries(given) as unknown as ServiceProvisionInput);
    onMade(service);
  };
  return (
    <Form fields={fields} label="Provision" send={send} cancel={close}>
      <SegmentedControl
        aria-label="Kind"
        data={['dedicated', 'vps', 'cloud']}
        value={values.type}
        onChange={(type) => set({ type })}
        fullWidth
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="Customer"
          description="Number of the account"
          required
          inputMode="numeric"
          {...input('account')}
        />
        <TextInput label="Product" description="As it stands on the invoice" required {...input('name')} />
        <TextInput label="Host name" required placeholder="web1.example.net" {...input('hostname')} />
        <Select
          label="Addresses"
          placeholder="As is usual"
          data={['/30', '/29', '/28', '/27', '/26', '/25', '/24', '/64']}
          value={values.size === '' ? null : values.size}
          onChange={(size) => set({ size: size ?? '' })}
          error={fields.errorOf('size')}
          clearable
          clearButtonProps={{ 'aria-label': 'As is usual' }}
        />
      </SimpleGrid>
      {isMachine ? <MachineFields input={input} /> : <ServerField fields={fields} />}
      <Fieldset legend="Terms (without a price it is not billed)">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label="Plan" {...input('plan')} />
          <TextInput label="Price" placeholder="89.00" inputMode="decimal" {...input('price')} />
          <TextInput label="Setup" placeholder="0.00" inputMode="decimal" {...input('setup')} />
          <Select
            label="Every"
            data={[
              { value: 'monthly', label: 'month' },
              { value: 'quarterly', label: 'quarter' },
              { value: 'yearly', label: 'year' },
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

type Fields = ReturnType<typeof useFields<typeof nothingTyped>>;

function ServerField({ fields }: { fields: Fields }): JSX.Element {
  const servers = useStaffRead('deviceList', { kind: 'server', limit: 1000 });
  const free = (servers.data ?? []).filter(({ service }) => service === '').map(({ device }) => device);
  return (
    <Select
      label="Server"
      description={free.length === 0 && servers.data !== undefined ? 'No server is free.' : 'One that nobody has'}
      required
      searchable
      data={free}
      nothingFoundMessage="No such free server"
      value={fields.values.server === '' ? null : fields.values.server}
      onChange={(server) => fields.set({ server: server ?? '' })}
      error={fields.errorOf('server')}
    />
  );
}

function MachineFields({ input }: Pick<Fields, 'input'>): JSX.Element {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput label="Template" required placeholder="debian-12" {...input('template')} />
      <TextInput label="Processors" required inputMode="numeric" {...input('vcpus')} />
      <TextInput label="Memory (MB)" required inputMode="numeric" {...input('memorymb')} />
      <TextInput label="Disk (GB)" required inputMode="numeric" {...input('diskgb')} />
      <TextInput label="Traffic a month (GB)" inputMode="numeric" {...input('bandwidthgb')} />
    </SimpleGrid>
  );
}
