// Imports a zone file in two steps: preview, then import. The file replaces all records, so records missing from it
// show up as removed.
import { Alert, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMemo, useState, type JSX } from 'react';
import { HostyardError, type Zone, type ZoneDifference } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';
import { DifferenceTable } from './difference-table.tsx';
import { differenceRows, differenceText } from './difference.ts';

export function ZoneImport({ zone }: { zone: Zone }): JSX.Element {
  const denial = useScopeDenial()('dns:write');
  const fields = useFormFields({ zonefile: '' });
  const [previewed, setPreviewed] = useState<Previewed>();
  const [isOutdated, setOutdated] = useState(false);
  const preview = useChange('zoneFileImport', { invalidates: [] });
  const { value, error } = fields.input('zonefile');
  // The response may come after the text has changed.
  const difference = previewed?.zonefile === value ? previewed.difference : undefined;
  const loadPreview = async (): Promise<void> => {
    setPreviewed(undefined);
    fields.showError(undefined);
    try {
      const found = await preview.mutateAsync({ domain: zone.domain_id, zonefile: value, dry_run: true });
      setPreviewed({ zonefile: value, difference: found });
    } catch (failure) {
      fields.showError(failure);
    }
  };
  const setZonefile = (zonefile: string): void => {
    setOutdated(false);
    fields.set({ zonefile });
  };
  const problems = (error ?? fields.formError)?.split('; ') ?? [];
  return (
    <Stack gap="md">
      <Textarea
        label={t('Zone file')}
        description={t(
          'BIND format. Replaces all records of the zone; if the file has no SOA record, the current one is kept.',
        )}
        placeholder={'$TTL 3600\n@    IN MX 10 mail\nmail IN A  192.0.2.10'}
        value={value}
        error={problems.length === 0 ? undefined : <Problems problems={problems} />}
        onChange={(event) => setZonefile(event.currentTarget.value)}
        rows={difference === undefined ? 14 : 6}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13, whiteSpace: 'pre' } }}
      />
      <Group gap="xs">
        <FileButton onChange={(file) => void file?.text().then(setZonefile)}>
          {(button) => (
            <ActionButton variant="default" icon="upload" {...button}>
              {t('Choose file')}
            </ActionButton>
          )}
        </FileButton>
        <ActionButton
          variant={difference === undefined ? 'filled' : 'default'}
          loading={preview.isPending}
          disabledReason={denial ?? (value.trim() === '' ? t('Paste or choose a zone file first.') : undefined)}
          onClick={() => {
            setOutdated(false);
            void loadPreview();
          }}
        >
          {t('Preview changes')}
        </ActionButton>
      </Group>
      {isOutdated && (
        <Alert color="yellow" variant="light" icon={<Icon name="warning" />} role="alert">
          {t('Nothing was imported: the zone has changed since the preview. Review the updated changes below.')}
        </Alert>
      )}
      {difference !== undefined && (
        <ImportPreview
          zone={zone}
          zonefile={value}
          difference={difference}
          onDone={() => {
            setOutdated(false);
            fields.reset();
          }}
          onOutdated={() => {
            setOutdated(true);
            void loadPreview();
          }}
        />
      )}
    </Stack>
  );
}

interface Previewed {
  readonly zonefile: string;
  readonly difference: ZoneDifference;
}

/** One line each, with the line of the file first. */
function Problems({ problems }: { problems: readonly string[] }): JSX.Element {
  return (
    <>
      <Text span inherit display="block">
        {t('Nothing was imported. Correct the file and preview it again:')}
      </Text>
      {problems.map((problem) => (
        <Text key={problem} span inherit display="block">
          {problem.charAt(0).toUpperCase() + problem.slice(1)}
        </Text>
      ))}
    </>
  );
}

interface ImportPreviewProps {
  readonly zone: Zone;
  readonly zonefile: string;
  readonly difference: ZoneDifference;
  readonly onDone: () => void;
  /** Called if the zone has changed since the preview. */
  readonly onOutdated: () => void;
}

function ImportPreview({ zone, zonefile, difference, onDone, onOutdated }: ImportPreviewProps): JSX.Element {
  const rows = useMemo(() => differenceRows(difference), [difference]);
  const importFile = useChange('zoneFileImport', {
    successMessage: t('Zone imported'),
    invalidates: ['recordList', 'zoneHistoryGet'],
  });
  const runImport = async (): Promise<void> => {
    try {
      await importFile.mutateAsync({ domain: zone.domain_id, zonefile, serial: Number(difference.serial) });
      onDone();
    } catch (error) {
      if (!(error instanceof HostyardError) || error.errors['serial'] === undefined) throw error;
      onOutdated();
    }
  };
  if (rows.length === 0)
    return (
      <Alert color="teal" variant="light" icon={<Icon name="check" />} title={t('No changes')} role="status">
        {t('The zone already matches the file.')}
      </Alert>
    );
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} role="status">
          {t('Changes: {changes}', { changes: differenceText(rows) })}
        </Text>
        <ConfirmButton
          color="red"
          question={t('Import into {name}?', { name: zone.name })}
          consequence={t('Changes: {changes}. They take effect immediately. You can roll back in the zone history.', {
            changes: differenceText(rows),
          })}
          confirmLabel={t('Import')}
          onConfirm={runImport}
        />
      </Group>
      <DifferenceTable label={t('Changes to {name}', { name: zone.name })} zone={zone.name} rows={rows} abovePx={520} />
    </Stack>
  );
}
