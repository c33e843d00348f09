// Software licences by service: the active ones with their keys, and an order form.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { ServiceLicences } from './licences/service-licences.tsx';

export function LicencesPage(): JSX.Element {
  const scopeDenial = useScopeDenial();
  const reason = scopeDenial('device:read');
  const devices = useRead('deviceList', {}, { enabled: reason === undefined });
  return (
    <Page title="Licences" description="Software for your servers, billed monthly">
      {reason !== undefined ? (
        <Card>
          <EmptyState icon="licence" title="No access to servers">
            {reason}
          </EmptyState>
        </Card>
      ) : (
        <QueryResult query={devices}>
          {(all) =>
            all.length === 0 ? (
              <Card>
                <EmptyState icon="server" title="No servers yet">
                  Licences belong to a server. You can order them here once you have one.
                </EmptyState>
              </Card>
            ) : (
              <Stack>
                {all.map((device) => (
                  <ServiceLicences key={device.service} device={device} />
                ))}
              </Stack>
            )
          }
        </QueryResult>
      )}
    </Page>
  );
}
