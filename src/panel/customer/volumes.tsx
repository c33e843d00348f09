// All volumes of the account, whichever machine they are attached to.
import { Select, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useScopeDenial } from '../data/identity.ts';
import { useRead } from '../data/operations.ts';
import { FormButton } from '../parts/form-button.tsx';
import { Page } from '../parts/page.tsx';
import { QueryResult } from '../parts/query-result.tsx';
import { ServerLink } from '../parts/server-link.tsx';
import { t } from '../text/text.ts';
import { CreateForm, type VolumeMachine } from './machines/volume-forms.tsx';
import { VolumeTable } from './machines/volume-table.tsx';

export function VolumesPage(): JSX.Element {
  const volumes = useRead('volumeList', {});
  const machines = useRead('machineList', { limit: 1000 });
  const denial = useScopeDenial()('device:write');
  const usable = (machines.data ?? []).filter(({ status }) => status === 'Active');
  const hostnames = new Map((machines.data ?? []).map(({ service, hostname }) => [service, hostname]));
  return (
    <Page
      title={t('Volumes')}
      description={t('Additional disks that you keep when a machine is reinstalled or deleted')}
      actions={
        usable.length > 0 && (
          <FormButton
            icon="plus"
            title={t('Create volume')}
            disabledReason={denial}
            form={(close) => <NewVolume machines={usable} close={close} />}
          />
        )
      }
    >
      <QueryResult query={volumes} lines={4}>
        {(all) => (
          <VolumeTable
            volumes={all}
            denialOf={() => denial}
            machines={usable}
            moreColumns={[
              {
                label: t('Machine'),
                className: 'wrap-anywhere',
                cell: ({ service }) => {
                  const hostname = hostnames.get(service);
                  return hostname === undefined ? '–' : <ServerLink service={service}>{hostname}</ServerLink>;
                },
              },
            ]}
          />
        )}
      </QueryResult>
    </Page>
  );
}

interface NewVolumeProps {
  readonly machines: readonly VolumeMachine[];
  readonly close: () => void;
}

function NewVolume({ machines, close }: NewVolumeProps): JSX.Element {
  const [service, setService] = useState(machines[0]!.service);
  return (
    <Stack gap="sm">
      <Select
        label={t('Machine')}
        data={machines.map((machine) => ({ value: machine.service, label: machine.hostname }))}
        value={service}
        allowDeselect={false}
        searchable
        onChange={(next) => setService(next ?? service)}
      />
      <CreateForm service={service} close={close} />
    </Stack>
  );
}
