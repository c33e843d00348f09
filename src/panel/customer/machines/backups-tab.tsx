// Backups of a virtual machine outside of its hypervisor, and their schedule.
import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton, DangerButton } from '../../parts/confirm-button.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { bytesText } from '../../parts/traffic-units.ts';
import { t } from '../../text/text.ts';
import { NewMachineForm, NewVolumeForm, type Backup } from './backup-restore-forms.tsx';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';

type Schedule = Result<'machineBackupScheduleGet'>;
interface ServerProps {
  readonly server: ServerInfo;
  readonly denial: string | undefined;
}

const volumeTexts = { included: t('With attached volumes'), excluded: t('Without volumes') } as const;
const frequencies = { off: t('Off'), daily: t('Daily'), weekly: t('Weekly') } as const;

export function BackupsTab({ server }: { readonly server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const backups = useRead('machineBackupList', { service });
  const schedule = useRead('machineBackupScheduleGet', { service });
  const create = useChange('machineBackupCreate', { successMessage: t('Backup started') });
  const denial = useUnavailableReason()(server, 'device:write');
  const props = { server, denial };
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Dimmed maw={640}>{t('Backups are encrypted and stored outside of the hypervisor.')}</Dimmed>
        <Group gap="xs">
          {schedule.data !== undefined && (
            <FormButton
              variant="default"
              title={t('Backup schedule')}
              disabledReason={denial}
              form={(close) => <ScheduleForm service={service} schedule={schedule.data} close={close} />}
            />
          )}
          <ActionButton
            icon="plus"
            disabledReason={denial}
            loading={create.isPending}
            onClick={() => create.mutate({ service }, { onError: notifyError })}
          >
            {t('Back up now')}
          </ActionButton>
        </Group>
      </Group>
      {schedule.data !== undefined && <ScheduleSummary schedule={schedule.data} />}
      <QueryTable
        query={backups}
        label={t('Backups')}
        columns={backupColumns(props)}
        minWidth={940}
        empty={
          <EmptyCard icon="disc" title={t('No backups yet')}>
            {t('Set a schedule, so that you have one when you need it.')}
          </EmptyCard>
        }
      />
    </Stack>
  );
}

function ScheduleSummary({ schedule }: { readonly schedule: Schedule }): JSX.Element {
  return (
    <Group gap="xl">
      <Text size="sm">{t('Schedule: {frequency}', { frequency: frequencies[schedule.frequency] })}</Text>
      {schedule.next !== '' && (
        <Text size="sm">
          {t('Next:')} <Timestamp at={schedule.next} />
        </Text>
      )}
      <Text size="sm">{t('Stored: {size}', { size: bytesText(Number(schedule.stored)) })}</Text>
      <Text size="sm">{volumeTexts[schedule.volumes]}</Text>
    </Group>
  );
}

function backupColumns(props: ServerProps): readonly Column<Backup>[] {
  return [
    {
      label: t('Created'),
      cell: ({ created, source }) => (
        <>
          <Text size="sm" fw={600} component="div">
            <Timestamp at={created} />
          </Text>
          <Dimmed size="xs">{source === 'schedule' ? t('By schedule') : t('By request')}</Dimmed>
        </>
      ),
    },
    {
      label: t('State'),
      cell: ({ status }) =>
        status === 'Stored' ? (
          <StateBadge state="Available" label={t('Stored')} />
        ) : (
          <StateBadge state="Running" label={t('Being created')} />
        ),
    },
    {
      label: t('Content'),
      cell: ({ consistent, status, volumes }) => (
        <>
          {status !== 'Stored' ? '–' : consistent ? t('Consistent') : t('As after a power failure')}
          {volumes.length > 0 && (
            <Dimmed size="xs" className="wrap-anywhere">
              {t('Volumes: {names}', { names: volumes.map(({ name }) => name).join(', ') })}
            </Dimmed>
          )}
        </>
      ),
    },
    {
      label: t('Size'),
      isNumber: true,
      cell: ({ size, status }) => (status === 'Stored' ? bytesText(Number(size)) : '–'),
    },
    { label: t('Actions'), width: 1, cell: (backup) => <BackupActions backup={backup} {...props} /> },
  ];
}

function BackupActions({ backup, server, denial }: ServerProps & { readonly backup: Backup }): JSX.Element {
  const { id, status, created } = backup;
  const { service, hostname } = server.device;
  const restore = useChange('machineBackupRestore', { successMessage: t('The machine is being restored') });
  const remove = useChange('machineBackupDelete', { successMessage: t('Backup deleted') });
  const unavailable = denial ?? (status === 'Stored' ? undefined : t('Available once the backup is stored.'));
  return (
    <Group gap="xs" wrap="nowrap">
      <ConfirmButton
        size="compact-sm"
        variant="light"
        aria-label={t('Restore {name}', { name: created })}
        disabledReason={unavailable}
        question={t('Restore {hostname} from this backup?', { hostname })}
        consequence={t(
          'The current content of the disk is lost. This cannot be undone. A running machine is off for a moment. Addresses, size and volumes stay as they are.',
        )}
        confirmText={hostname}
        confirmLabel={t('Restore')}
        onConfirm={() => restore.mutateAsync({ service, backup: id, hostname })}
      />
      <FormButton
        size="compact-sm"
        variant="light"
        title={t('New machine from a backup')}
        aria-label={t('New machine from {name}', { name: created })}
        disabledReason={unavailable}
        form={(close) => <NewMachineForm service={service} backup={backup} close={close} />}
      >
        {t('New machine')}
      </FormButton>
      <FormButton
        size="compact-sm"
        variant="light"
        title={t('Restore to a volume')}
        aria-label={t('Restore {name} to a volume', { name: created })}
        disabledReason={unavailable}
        form={(close) => <NewVolumeForm service={service} backup={backup} close={close} />}
      >
        {t('To a volume')}
      </FormButton>
      <DangerButton
        aria-label={t('Delete {name}', { name: created })}
        disabledReason={unavailable}
        question={t('Delete this backup?')}
        consequence={t('This cannot be undone. Other backups are not affected.')}
        confirmLabel={t('Delete')}
        onConfirm={() => remove.mutateAsync({ service, backup: id })}
      />
    </Group>
  );
}

interface ScheduleFormProps {
  readonly service: string;
  readonly schedule: Schedule;
  readonly close: () => void;
}

function ScheduleForm({ service, schedule, close }: ScheduleFormProps): JSX.Element {
  const { frequency, weekday, hour, daily, weekly, monthly, volumes } = schedule;
  const numbers = { hour: String(hour), daily: String(daily), weekly: String(weekly), monthly: String(monthly) };
  const fields = useFormFields({ frequency, weekday: String(weekday), volumes, ...numbers });
  const save = useChange('machineBackupScheduleSet', { successMessage: t('Backup schedule changed') });
  const weekdays = [t('Sunday'), t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday')];
  const isOn = fields.values.frequency !== 'off';
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      onSubmit={async () => {
        const { values } = fields;
        await save.mutateAsync({
          service,
          frequency: values.frequency,
          weekday: Number(values.weekday),
          hour: Number(values.hour),
          daily: Number(values.daily),
          weekly: Number(values.weekly),
          monthly: Number(values.monthly),
          volumes: values.volumes,
        });
      }}
    >
      <NativeSelect
        label={t('Frequency')}
        data={Object.entries(frequencies).map(([value, label]) => ({ value, label }))}
        {...fields.input('frequency')}
      />
      {fields.values.frequency === 'weekly' && (
        <NativeSelect
          label={t('Weekday')}
          data={weekdays.map((label, value) => ({ value: String(value), label }))}
          {...fields.input('weekday')}
        />
      )}
      {isOn && <TextInput label={t('Hour (UTC)')} inputMode="numeric" required {...fields.input('hour')} />}
      <NativeSelect
        label={t('Volumes')}
        description={t('Also for backups that you make yourself')}
        data={Object.entries(volumeTexts).map(([value, label]) => ({ value, label }))}
        {...fields.input('volumes')}
      />
      <Text size="sm">{t('Scheduled backups that are kept: the newest of this many days, weeks and months.')}</Text>
      <Group grow>
        <TextInput label={t('Days')} inputMode="numeric" required {...fields.input('daily')} />
        <TextInput label={t('Weeks')} inputMode="numeric" required {...fields.input('weekly')} />
        <TextInput label={t('Months')} inputMode="numeric" required {...fields.input('monthly')} />
      </Group>
    </Form>
  );
}
