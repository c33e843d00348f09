// Changes the hostname of a server.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../../data/operations.ts';
import { useFormFields } from '../../../parts/form-fields.ts';
import { Form } from '../../../parts/form.tsx';
import { useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';
import { t } from '../../../text/text.ts';

export function HostnameCard({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const fields = useFormFields({ hostname: device.hostname });
  const change = useChange('deviceHostnameSet', { successMessage: t('Hostname changed') });
  const isSame = fields.values.hostname === device.hostname;
  return (
    <SectionCard
      title={t('Hostname')}
      description={t('Shown in the panel. The server itself picks it up at the next reinstall.')}
    >
      <Form
        fields={fields}
        submitLabel={t('Change hostname')}
        disabledReason={unavailableReason ?? (isSame ? t('The hostname is unchanged.') : undefined)}
        onSubmit={() => change.mutateAsync({ service: device.service, hostname: fields.values.hostname.trim() })}
      >
        <TextInput aria-label={t('Hostname')} autoComplete="off" spellCheck={false} {...fields.input('hostname')} />
      </Form>
    </SectionCard>
  );
}
