// Snapshots of a virtual machine, and the images that the account has made from machines.
import { Group, Stack, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ConfirmButton, DangerButton } from '../../parts/confirm-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';
import { CopyState, copySize } from './copy-state.tsx';
import { ImagesCard } from './images-card.tsx';

type Snapshot = Result<'machineSnapshotList'>[number];
interface ServerProps {
  readonly server: ServerInfo;
  readonly denial: string | undefined;
}

export function SnapshotsTab({ server }: { readonly server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const snapshots = useRead('machineSnapshotList', { service });
  const denial = useUnavailableReason()(server, 'device:write');
  const props = { server, denial };
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Dimmed maw={640}>
          {t(
            'A snapshot is a copy of the disk. Reinstalling the machine keeps its snapshots; deleting the machine deletes them.',
          )}
        </Dimmed>
        <FormButton
          icon="plus"
          title={t('Take snapshot')}
          disabledReason={denial}
          form={(close) => <SnapshotForm service={service} close={close} />}
        />
      </Group>
      <QueryTable
        query={snapshots}
        label={t('Snapshots')}
        columns={snapshotColumns(props)}
        minWidth={760}
        empty={
          <EmptyCard icon="disc" title={t('No snapshots yet')}>
            {t('Take a snapshot before an upgrade or a change, so that you can go back.')}
          </EmptyCard>
        }
      />
      <ImagesCard />
    </Stack>
  );
}

function snapshotColumns(props: ServerProps): readonly Column<Snapshot>[] {
  const consistency = { yes: t('Consistent'), no: t('As after a power failure'), '': '–' } as const;
  return [
    { label: t('Name'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => name },
    { label: t('State'), cell: (snapshot) => <CopyState copy={snapshot} /> },
    { label: t('Content'), cell: ({ consistent }) => consistency[consistent] },
    { label: t('Size'), isNumber: true, cell: ({ size }) => copySize(size) },
    { label: t('Created'), cell: ({ created }) => <Timestamp at={created} /> },
    { label: t('Actions'), width: 1, cell: (snapshot) => <SnapshotActions snapshot={snapshot} {...props} /> },
  ];
}

function SnapshotActions({ snapshot, server, denial }: ServerProps & { readonly snapshot: Snapshot }): JSX.Element {
  const { id, name, state } = snapshot;
  const { service, hostname } = server.device;
  const restore = useChange('machineSnapshotRestore', { successMessage: t('The machine is being restored') });
  const remove = useChange('machineSnapshotDelete', { successMessage: t('Snapshot deleted') });
  const unavailable = denial ?? (state === 'ready' ? undefined : t('Available once the snapshot is ready.'));
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        size="compact-sm"
        variant="light"
        aria-label={t('Restore {name}', { name })}
        disabledReason={unavailable}
        question={t('Restore {hostname} from “{name}”?', { hostname, name })}
        consequence={t(
          'The current content of the disk is lost. This cannot be undone. A running machine is off for a moment. Addresses, size and volumes stay as they are.',
        )}
        confirmText={hostname}
        confirmLabel={t('Restore')}
        onConfirm={() => restore.mutateAsync({ service, id })}
      />
      <FormButton
        isInRow
        title={t('Make image')}
        aria-label={t('Make image from {name}', { name })}
        disabledReason={unavailable}
        form={(close) => <ImageForm service={service} snapshot={snapshot} close={close} />}
      />
      <DangerButton
        aria-label={t('Delete {name}', { name })}
        disabledReason={state === 'failed' ? denial : unavailable}
        question={t('Delete the snapshot “{name}”?', { name })}
        consequence={t('This cannot be undone. The machine and its other snapshots stay as they are.')}
        confirmLabel={t('Delete')}
        onConfirm={() => remove.mutateAsync({ service, id })}
      />
    </Group>
  );
}

function SnapshotForm({ service, close }: { readonly service: string; readonly close: () => void }): JSX.Element {
  const fields = useFormFields({ name: '' });
  const create = useChange('machineSnapshotCreate', { successMessage: t('The snapshot is being taken') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Take snapshot')}
      close={close}
      onSubmit={() => create.mutateAsync({ service, name: fields.values.name.trim() })}
    >
      <Text size="sm">
        {t('The machine keeps running. Without a guest agent, the copy is like the disk after a power failure.')}
      </Text>
      <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
    </Form>
  );
}

interface ImageFormProps {
  readonly service: string;
  readonly snapshot: Snapshot;
  readonly close: () => void;
}

function ImageForm({ service, snapshot, close }: ImageFormProps): JSX.Element {
  const fields = useFormFields({ name: snapshot.name });
  const create = useChange('machineImageCreate', { successMessage: t('The image is being created') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Make image')}
      close={close}
      onSubmit={() => create.mutateAsync({ service, name: fields.values.name.trim(), snapshot: snapshot.id })}
    >
      <Text size="sm">
        {t(
          'Use it to install other machines on the same hypervisor. It contains the passwords and SSH keys of this machine.',
        )}
      </Text>
      <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
    </Form>
  );
}
