// Forms that create, resize and attach a volume.
import { Select, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { maxVolumeGb } from '#contract/shapes/volume.ts';
import type { Volume } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields, type FormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { t } from '../../text/text.ts';

const defaultGb = 10;
const invalidates = ['volumeList'];

export interface VolumeMachine {
  readonly service: string;
  readonly hostname: string;
}

type InputProps = ReturnType<FormFields<{ readonly size: string }>['input']>;
interface FormProps {
  readonly close: () => void;
}
interface VolumeProps extends FormProps {
  readonly volume: Volume;
}

export function CreateForm({ service, close }: FormProps & { readonly service: string }): JSX.Element {
  const fields = useFormFields({ name: '', size: String(defaultGb) });
  const create = useChange('volumeCreate', { successMessage: t('The volume is being created'), invalidates });
  return (
    <Form
      fields={fields}
      submitLabel={t('Create volume')}
      close={close}
      onSubmit={() =>
        create.mutateAsync({ service, name: fields.values.name.trim(), size: Number(fields.values.size) })
      }
    >
      <Text size="sm">
        {t('The empty disk is attached to the machine, which keeps running. Format and mount it there.')}
      </Text>
      <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
      <SizeInput input={fields.input('size')} least={1} />
    </Form>
  );
}

export function ResizeForm({ volume: { id, size }, close }: VolumeProps): JSX.Element {
  const least = Number(size) + 1;
  const fields = useFormFields({ size: String(least) });
  const resize = useChange('volumeResize', { successMessage: t('The volume is being resized'), invalidates });
  return (
    <Form
      fields={fields}
      submitLabel={t('Resize')}
      close={close}
      onSubmit={() => resize.mutateAsync({ id, size: Number(fields.values.size) })}
    >
      <Text size="sm">{t('Volumes can only grow. Extend the file system in the machine afterwards.')}</Text>
      <SizeInput input={fields.input('size')} least={least} />
    </Form>
  );
}

function SizeInput({ input, least }: { readonly input: InputProps; readonly least: number }): JSX.Element {
  return <TextInput label={t('Size in GB')} type="number" required min={least} max={maxVolumeGb} {...input} />;
}

/** Attaches a volume to one of the machines. */
export function AttachToMachineForm({
  volume: { id, service },
  machines,
  close,
}: VolumeProps & { readonly machines: readonly VolumeMachine[] }): JSX.Element {
  const last = machines.find((machine) => machine.service === service);
  const fields = useFormFields({ service: last?.service ?? '' });
  const attach = useChange('volumeAttach', { successMessage: t('The volume is being attached'), invalidates });
  return (
    <Form
      fields={fields}
      submitLabel={t('Attach')}
      close={close}
      onSubmit={() => attach.mutateAsync({ id, service: fields.values.service })}
    >
      <Select
        label={t('Machine')}
        description={t('The machine must be on the hypervisor of the volume.')}
        required
        searchable
        data={machines.map((machine) => ({ value: machine.service, label: machine.hostname }))}
        value={fields.values.service || null}
        error={fields.errorOf('service')}
        onChange={(next) => fields.set({ service: next ?? '' })}
      />
    </Form>
  );
}

export function AttachForm({
  service,
  spare,
  close,
}: FormProps & { readonly service: string; readonly spare: readonly Volume[] }): JSX.Element {
  const fields = useFormFields({ id: spare[0]!.id });
  const attach = useChange('volumeAttach', { successMessage: t('The volume is being attached'), invalidates });
  return (
    <Form
      fields={fields}
      submitLabel={t('Attach')}
      close={close}
      onSubmit={() => attach.mutateAsync({ id: fields.values.id, service })}
    >
      <Select
        label={t('Volume')}
        description={t('The volume must be on the hypervisor of this machine.')}
        data={spare.map(({ id, name, size }) => ({ value: id, label: `${name} (${size} GB)` }))}
        value={fields.values.id}
        allowDeselect={false}
        onChange={(id) => fields.set({ id: id ?? spare[0]!.id })}
      />
    </Form>
  );
}
