// Forms that restore a backup to a new machine, or a disk of it to a new volume.
import { NativeSelect, Select, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { t } from '../../text/text.ts';
import { noSshKeys, SshKeyFields, sshKeyInput } from '../server/install/ssh-key-fields.tsx';
import { planPrice } from './plan-card.tsx';

export type Backup = Result<'machineBackupList'>[number];
type Options = Result<'machineOptions'>;

interface FormProps {
  readonly service: string;
  readonly backup: Backup;
  readonly close: () => void;
}

export function NewMachineForm(props: FormProps): JSX.Element {
  const options = useRead('machineOptions', {});
  return (
    <QueryResult query={options} lines={4}>
      {(all) => <OrderForm options={all} {...props} />}
    </QueryResult>
  );
}

function OrderForm({ service, backup, close, options }: FormProps & { readonly options: Options }): JSX.Element {
  const fields = useFormFields({ plan: '', location: '', hostname: '', ...noSshKeys });
  const { values } = fields;
  const navigate = useNavigate();
  const order = useChange('machineBackupOrder', { successMessage: t('Machine ordered') });
  const plans = options.plans.filter(
    ({ type, diskgb }) => (type === '' || type === backup.type) && Number(diskgb) >= Number(backup.diskgb),
  );
  const plan = plans.find(({ name }) => name === values.plan);
  const noPlan = t('No plan has a disk of {size} GB for it. Contact support.', { size: backup.diskgb });
  const submit = async (): Promise<void> => {
    const ordered = await order.mutateAsync({
      service,
      backup: backup.id,
      plan: values.plan,
      hostname: values.hostname.trim(),
      location: values.location || undefined,
      ...sshKeyInput(values),
    });
    close();
    void navigate({ to: '/servers/$service', params: { service: ordered.service } });
  };
  return (
    <Form
      fields={fields}
      submitLabel={t('Order machine')}
      onCancel={close}
      disabledReason={options.obstacle || (plans.length === 0 ? noPlan : undefined)}
      onSubmit={submit}
    >
      <Text size="sm">
        {t(
          'Orders a machine with the system disk of this backup. It gets its own name, addresses and root password; this machine stays as it is. Volumes are restored separately.',
        )}
      </Text>
      <Select
        label={t('Plan')}
        data={plans.map(({ name }) => name)}
        value={values.plan === '' ? null : values.plan}
        onChange={(next) => fields.set({ plan: next ?? '', location: '' })}
        error={fields.errorOf('plan')}
        required
      />
      {plan !== undefined && <Dimmed>{planPrice(plan)}</Dimmed>}
      <TextInput
        label={t('Hostname')}
        placeholder="web1.example.com"
        autoComplete="off"
        spellCheck={false}
        required
        {...fields.input('hostname')}
      />
      {options.locations.length > 0 && (
        <NativeSelect
          label={t('Location')}
          data={[{ value: '', label: t('Any') }, ...(plan?.locations ?? options.locations)]}
          {...fields.input('location')}
        />
      )}
      <SshKeyFields fields={fields} />
    </Form>
  );
}

export function NewVolumeForm({ service, backup, close }: FormProps): JSX.Element {
  const fields = useFormFields({ volume: '', name: '' });
  const restore = useChange('machineBackupVolumeCreate', { successMessage: t('The volume is being restored') });
  const disks = [
    { value: '', label: t('System disk ({size} GB)', { size: backup.diskgb }) },
    ...backup.volumes.map(({ id, name, size }) => ({
      value: id,
      label: t('Volume {name} ({size} GB)', { name, size }),
    })),
  ];
  return (
    <Form
      fields={fields}
      submitLabel={t('Restore')}
      close={close}
      onSubmit={async () => {
        const { volume, name } = fields.values;
        await restore.mutateAsync({ service, backup: backup.id, name: name.trim(), volume: volume || undefined });
      }}
    >
      <Text size="sm">
        {t(
          'Creates a volume with the content of the disk and attaches it to this machine, so that you can copy single files from it. It is billed like other volumes: delete it when you are done.',
        )}
      </Text>
      <NativeSelect label={t('Disk')} data={disks} {...fields.input('volume')} />
      <TextInput label={t('Name of the new volume')} required {...fields.input('name')} />
    </Form>
  );
}
