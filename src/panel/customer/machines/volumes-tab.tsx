// Volumes of a virtual machine, and detached ones of the account that it can get.
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { maxVolumeGb } from '#contract/shapes/volume.ts';
import type { Volume } from '#sdk/v2.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton, ConfirmButton, DangerButton } from '../../parts/action-button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields, type FormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';

const defaultGb = 10;
const invalidates = ['volumeList'];

interface RowProps {
  readonly volume: Volume;
  readonly denial: string | undefined;
}

export function VolumesTab({ server }: { readonly server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const volumes = useRead('volumeList', {});
  const denial = useUnavailableReason()(server, 'device:write');
  const spare = (volumes.data ?? []).filter(({ attached, state }) => !attached && state === 'Ready');
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Text size="sm" c="dimmed" maw={640}>
          {t(
            'A volume is a disk beside that of the system. It keeps its content when the machine is reinstalled or deleted.',
          )}
        </Text>
        <Group gap="xs">
          {spare.length > 0 && (
            <FormButton
              variant="default"
              title={t('Attach volume')}
              disabledReason={denial}
              form={(close) => <AttachForm service={service} spare={spare} close={close} />}
            />
          )}
          <FormButton
            icon="plus"
            title={t('Create volume')}
            disabledReason={denial}
            form={(close) => <CreateForm service={service} close={close} />}
          />
        </Group>
      </Group>
      <QueryResult query={volumes} lines={3}>
        {(all) => <VolumeTable volumes={all.filter((volume) => volume.service === service)} denialOf={() => denial} />}
      </QueryResult>
    </Stack>
  );
}

export interface VolumeTableProps {
  readonly volumes: readonly Volume[];
  /** Why a volume cannot be changed. */
  readonly denialOf: (volume: Volume) => string | undefined;
  /** Those of a list with volumes of several machines. */
  readonly moreColumns?: readonly Column<Volume>[];
  /** What a volume can be attached to; by default the machine that it was attached to last. */
  readonly machines?: readonly VolumeMachine[];
}
export interface VolumeMachine {
  readonly service: string;
  readonly hostname: string;
}

export function VolumeTable({ volumes, denialOf, moreColumns = [], machines }: VolumeTableProps): JSX.Element {
  if (volumes.length === 0)
    return (
      <EmptyCard icon="disc" title={t('No volumes yet')}>
        {t('Create one for data that should outlive the system.')}
      </EmptyCard>
    );
  const columns: readonly Column<Volume>[] = [
    { label: t('Name'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => name },
    { label: t('Size'), isNumber: true, cell: ({ size }) => `${size} GB` },
    ...moreColumns,
    { label: t('State'), cell: (volume) => <VolumeState volume={volume} /> },
    {
      label: t('Path in the machine'),
      cell: ({ path, attached }) => (attached ? <Copyable value={path} label={t('Path in the machine')} /> : '–'),
    },
    {
      label: t('Actions'),
      width: 1,
      cell: (volume) => <VolumeActions volume={volume} denial={denialOf(volume)} machines={machines} />,
    },
  ];
  return <TableCard label={t('Volumes')} columns={columns} rows={volumes} rowKey={({ id }) => id} minWidth={760} />;
}

function VolumeState({ volume: { state, attached } }: Pick<RowProps, 'volume'>): JSX.Element {
  if (state === 'Creating') return <StateBadge state="Running" label={t('Being created')} />;
  if (state === 'Changing') return <StateBadge state="Running" label={t('Being changed')} />;
  if (state === 'Deleting') return <StateBadge state="Removing" label={t('Being deleted')} />;
  return attached ? (
    <StateBadge state="Available" label={t('Attached')} />
  ) : (
    <StateBadge state="Disabled" label={t('Detached')} />
  );
}

interface VolumeActionsProps extends RowProps {
  readonly machines: readonly VolumeMachine[] | undefined;
}

function VolumeActions({ volume, denial, machines }: VolumeActionsProps): JSX.Element {
  const { id, name, state, attached, service } = volume;
  const attach = useChange('volumeAttach', { successMessage: t('The volume is being attached'), invalidates });
  const detach = useChange('volumeDetach', { successMessage: t('The volume is being detached'), invalidates });
  const remove = useChange('volumeDelete', { successMessage: t('Volume deleted'), invalidates });
  const reason = denial ?? (state === 'Ready' ? undefined : t('The volume is being changed.'));
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        size="compact-sm"
        variant="default"
        title={t('Resize')}
        aria-label={t('Resize {name}', { name })}
        disabledReason={reason}
        form={(close) => <ResizeForm volume={volume} close={close} />}
      />
      {attached ? (
        <ConfirmButton
          size="compact-sm"
          variant="default"
          aria-label={t('Detach {name}', { name })}
          disabledReason={reason}
          question={t('Detach the volume “{name}”?', { name })}
          consequence={t('Unmount it in the machine first. Its content stays.')}
          confirmLabel={t('Detach')}
          onConfirm={() => detach.mutateAsync({ id })}
        />
      ) : machines !== undefined ? (
        <FormButton
          size="compact-sm"
          variant="default"
          title={t('Attach')}
          aria-label={t('Attach {name}', { name })}
          disabledReason={reason}
          form={(close) => <MachineForm volume={volume} machines={machines} close={close} />}
        />
      ) : (
        <ActionButton
          size="compact-sm"
          variant="default"
          aria-label={t('Attach {name}', { name })}
          disabledReason={reason}
          loading={attach.isPending}
          onClick={() => attach.mutate({ id, service })}
        >
          {t('Attach')}
        </ActionButton>
      )}
      <DangerButton
        aria-label={t('Delete {name}', { name })}
        disabledReason={reason ?? (attached ? t('Detach it first.') : undefined)}
        question={t('Delete the volume “{name}”?', { name })}
        consequence={t('Its content is erased. This cannot be undone.')}
        confirmText={name}
        confirmLabel={t('Delete')}
        onConfirm={() => remove.mutateAsync({ id, name })}
      />
    </Group>
  );
}

type InputProps = ReturnType<FormFields<{ readonly size: string }>['input']>;
interface FormProps {
  readonly close: () => void;
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

function ResizeForm({ volume: { id, size }, close }: FormProps & Pick<RowProps, 'volume'>): JSX.Element {
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
      <Text size="sm">{t('A volume can only grow. Then grow its file system in the machine.')}</Text>
      <SizeInput input={fields.input('size')} least={least} />
    </Form>
  );
}

function SizeInput({ input, least }: { readonly input: InputProps; readonly least: number }): JSX.Element {
  return <TextInput label={t('Size in GB')} type="number" required min={least} max={maxVolumeGb} {...input} />;
}

/** Attaches a volume to one of the machines. */
function MachineForm({
  volume: { id, service },
  machines,
  close,
}: FormProps & Pick<RowProps, 'volume'> & { readonly machines: readonly VolumeMachine[] }): JSX.Element {
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

function AttachForm({
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
