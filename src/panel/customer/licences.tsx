// Software licences, service by service: what each has, with its keys, and what it can have.
import { Card, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ServiceLicences } from './licences/service-licences.tsx';

export function LicencesPage(): JSX.Element {
  const refusal = useRefusal();
  const reason = refusal('device:read');
  const devices = useRead('deviceList', {}, { enabled: reason === undefined });
  return (
    <Page title="Licences" about="Software for your servers, billed by the month.">
      {reason !== undefined ? (
        <Card>
          <Empty icon="licence" title="Your servers cannot be listed">
            {reason}
          </Empty>
        </Card>
      ) : (
        <Answer of={devices}>
          {(all) =>
            all.length === 0 ? (
              <Card>
                <Empty icon="server" title="No servers yet">
                  Licences belong to a server. Once you have one, you can order them here.
                </Empty>
              </Card>
            ) : (
              <Stack>
                {all.map((device) => (
                  <ServiceLicences key={device.service} of={device} />
                ))}
              </Stack>
            )
          }
        </Answer>
      )}
    </Page>
  );
}
