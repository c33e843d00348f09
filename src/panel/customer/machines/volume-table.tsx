// A table of volumes, each with its actions: on the tab of a machine, and on the page of all volumes.
import { Group } from '@mantine/core';
import type { JSX } from 'react';
import type { Volume } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton, DangerButton } from '../../parts/confirm-button.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { AttachToMachineForm, ResizeForm, type VolumeMachine } from './volume-forms.tsx';

const invalidates = ['volumeList'];

export interface VolumeTableProps {
  readonly volumes: readonly Volume[];
  /** Why a volume cannot be changed. */
  readonly denialOf: (volume: Volume) => string | undefined;
  /** Those of a list with volumes of several machines. */
  readonly moreColumns?: readonly Column<Volume>[];
  /** What a volume can be attached to; by default the machine that it was attached to last. */
  readonly machines?: readonly VolumeMachine[];
}

export function VolumeTable({ volumes, denialOf, moreColumns = [], machines }: VolumeTableProps): JSX.Element {
  if (volumes.length === 0)
    return (
      <EmptyCard icon="disc" title={t('No volumes yet')}>
        {t('Create a volume for data that you want to keep.')}
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

function VolumeState({ volume: { state, attached } }: { readonly volume: Volume }): JSX.Element {
  if (state === 'Creating') return <StateBadge state="Running" label={t('Being created')} />;
  if (state === 'Changing') return <StateBadge state="Running" label={t('Being changed')} />;
  if (state === 'Deleting') return <StateBadge state="Removing" label={t('Being deleted')} />;
  return attached ? (
    <StateBadge state="Available" label={t('Attached')} />
  ) : (
    <StateBadge state="Disabled" label={t('Detached')} />
  );
}

interface VolumeActionsProps {
  readonly volume: Volume;
  readonly denial: string | undefined;
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
        isInRow
        title={t('Resize')}
        aria-label={t('Resize {name}', { name })}
        disabledReason={reason}
        form={(close) => <ResizeForm volume={volume} close={close} />}
      />
      {attached ? (
        <ConfirmButton
          isInRow
          aria-label={t('Detach {name}', { name })}
          disabledReason={reason}
          question={t('Detach the volume “{name}”?', { name })}
          consequence={t('Unmount it in the machine first. Its content is kept.')}
          confirmLabel={t('Detach')}
          onConfirm={() => detach.mutateAsync({ id })}
        />
      ) : machines !== undefined ? (
        <FormButton
          isInRow
          title={t('Attach')}
          aria-label={t('Attach {name}', { name })}
          disabledReason={reason}
          form={(close) => <AttachToMachineForm volume={volume} machines={machines} close={close} />}
        />
      ) : (
        <ActionButton
          isInRow
          aria-label={t('Attach {name}', { name })}
          disabledReason={reason}
          loading={attach.isPending}
          onClick={() => attach.mutate({ id, service }, { onError: notifyError })}
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
