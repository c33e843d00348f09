// Volumes of a virtual machine, and detached ones of the account that it can get.
import { Group, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { t } from '../../text/text.ts';
import { useUnavailableReason, type ServerInfo } from '../server/device.ts';
import { AttachForm, CreateForm } from './volume-forms.tsx';
import { VolumeTable } from './volume-table.tsx';

export function VolumesTab({ server }: { readonly server: ServerInfo }): JSX.Element {
  const { service } = server.device;
  const volumes = useRead('volumeList', {});
  const denial = useUnavailableReason()(server, 'device:write');
  const spare = (volumes.data ?? []).filter(({ attached, state }) => !attached && state === 'Ready');
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Dimmed maw={640}>
          {t('A volume is an additional disk. It keeps its content when the machine is reinstalled or deleted.')}
        </Dimmed>
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
