// Moves a virtual machine to another hypervisor, and shows its last migration.
import { Alert, Progress, Select, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t, tData } from '../../text/text.ts';
import { modeChoices, moveText, type MigrationMode } from '../equipment/migration-text.ts';

type Migration = StaffResult<'migrationList'>[number];

const progressMs = 3000;

export function MachineMigration({
  device,
  service,
  node,
}: {
  device: string;
  service: string;
  node: string;
}): JSX.Element {
  const denial = usePermissionDenial()('operator:services');
  const migrations = useStaffRead('migrationList', { service: Number(service), limit: 1 }, { refetchMs: progressMs });
  const cancel = useStaffChange('machineMigrateCancel', { successMessage: t('Migration cancelled') });
  const [last] = migrations.data ?? [];
  const isRunning = last !== undefined && last.ended === '';
  return (
    <Stack gap="sm" align="flex-start">
      {last !== undefined && <LastMigration migration={last} />}
      {isRunning ? (
        <ConfirmButton
          variant="light"
          color="red"
          disabledReason={denial}
          question={t('Cancel the migration of {device}?', { device })}
          consequence={t('The machine stays where it was.')}
          confirmLabel={t('Cancel migration')}
          dismissLabel={t('Close')}
          onConfirm={() => cancel.mutateAsync({ device })}
        />
      ) : (
        <FormButton
          variant="default"
          title={t('Move {device} to another hypervisor', { device })}
          disabledReason={denial}
          form={(close) => <MigrationForm device={device} node={node} close={close} />}
        >
          {t('Migrate')}
        </FormButton>
      )}
    </Stack>
  );
}

function LastMigration({ migration }: { migration: Migration }): JSX.Element {
  const { status, step, percent, reason, detail, source, started, ended } = migration;
  if (ended === '')
    return (
      <Stack gap={4} w="100%" role="status">
        <Text size="sm">{moveText(migration)}</Text>
        {percent !== '' && <Progress value={Number(percent)} aria-label={t('Migration')} />}
        <Dimmed size="xs">{tData(step)}</Dimmed>
      </Stack>
    );
  const isFailed = status === 'Failed';
  return isFailed ? (
    <Alert color="red" variant="light" title={t('Migration failed: {reason}', { reason })} w="100%">
      <Dimmed size="xs">
        {detail} <Timestamp at={ended} isRelative />
      </Dimmed>
    </Alert>
  ) : (
    <Dimmed>
      {status === 'Completed' ? t('Moved here from {source}', { source }) : t('Migration cancelled')}{' '}
      <Timestamp at={started} isRelative />
    </Dimmed>
  );
}

function MigrationForm({ device, node, close }: { device: string; node: string; close: () => void }): JSX.Element {
  const fields = useFormFields({ target: '', member: '', mode: 'auto' as MigrationMode });
  const { data: members = [] } = useStaffRead('nodeMembers', { name: node });
  const nodes = useStaffRead('nodeList', { limit: 1000 });
  const migrate = useStaffChange('machineMigrate', { successMessage: t('Migration started') });
  const own = nodes.data?.find(({ name }) => name === node);
  const choices = (nodes.data ?? []).filter(
    ({ name, driver, maintenance }) => name !== node && driver === own?.driver && maintenance === '',
  );
  return (
    <Form
      fields={fields}
      submitLabel={t('Migrate')}
      close={close}
      onSubmit={async () => {
        const { target, member, mode } = fields.values;
        const place = { mode, ...(target !== '' && { target }) };
        await migrate.mutateAsync({ device, ...(member === '' ? place : { member }) });
      }}
    >
      <Text size="sm">
        {t('If the move fails, the machine stays on its hypervisor, unchanged. The customer gets an event.')}
      </Text>
      {members.length > 1 && (
        <Select
          label={t('Cluster member')}
          description={t('Moves it within its cluster. The machine is shut down meanwhile.')}
          clearable
          data={[...members]}
          value={fields.values.member === '' ? null : fields.values.member}
          error={fields.errorOf('member')}
          onChange={(member) => fields.set({ member: member ?? '' })}
        />
      )}
      <Select
        label={t('Hypervisor')}
        placeholder={t('The one with the most free memory')}
        clearable
        data={choices.map(({ name }) => name)}
        value={fields.values.target === '' ? null : fields.values.target}
        error={fields.errorOf('target')}
        onChange={(target) => fields.set({ target: target ?? '' })}
        disabled={fields.values.member !== ''}
      />
      <Select
        label={t('If it is running')}
        disabled={fields.values.member !== ''}
        allowDeselect={false}
        data={modeChoices}
        value={fields.values.mode}
        onChange={(mode) => fields.set({ mode: (mode ?? 'auto') as MigrationMode })}
      />
    </Form>
  );
}
