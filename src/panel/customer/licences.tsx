// Software licences by service: the active ones with their keys, and an order form.
import { Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../text/text.ts';
import { ServiceLicences } from './licences/service-licences.tsx';

const noServers = (
  <EmptyCard icon="server" title={t('No servers yet')}>
    {t('Licences belong to a server. You can order them here once you have one.')}
  </EmptyCard>
);

export function LicencesPage(): JSX.Element {
  const denial = useScopeDenial()('device:read');
  const devices = useRead('deviceList', {}, { enabled: denial === undefined });
  return (
    <Page title={t('Licences')} description={t('Software for your servers, billed monthly')}>
      {denial !== undefined ? (
        <EmptyCard icon="licence" title={t('No access to servers')}>
          {denial}
        </EmptyCard>
      ) : (
        <QueryResult query={devices} empty={noServers}>
          {(all) => (
            <Stack>
              {all
                .filter(({ status }) => status !== 'Terminated')
                .map((device) => (
                  <ServiceLicences key={device.service} device={device} />
                ))}
            </Stack>
          )}
        </QueryResult>
      )}
    </Page>
  );
}
