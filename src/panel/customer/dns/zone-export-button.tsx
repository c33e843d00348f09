// Downloads a zone as a BIND zone file.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { customerApi } from '../../data/session.ts';
import { saveFile } from '../../parts/save-file.ts';
import { Icon } from '../../shell/icons.tsx';

export function ZoneExportButton({ zone }: { zone: Zone }): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const text = await customerApi().zoneFileGet({ domain: zone.domain_id });
      saveFile({ name: `${zone.name}.zone`, type: 'text/dns', bytes: new TextEncoder().encode(text) });
    } catch (error) {
      notifications.show({ title: 'Export failed', message: (error as Error).message, color: 'red' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      leftSection={<Icon name="download" size={16} />}
      loading={isBusy}
      onClick={() => void save()}
    >
      Export
    </Button>
  );
}
