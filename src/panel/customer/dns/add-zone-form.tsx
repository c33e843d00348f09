// Adds a zone. If the domain overlaps a zone of another account, offers to prove control of it with a TXT record.
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { HostyardError, type ZoneClaim } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { asciiName } from './unicode-name.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { SecretValue } from '../../parts/new-secret.tsx';
import { ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

export function AddZoneForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ domain: '' });
  const create = useChange('zoneCreate', { invalidates: ['zoneList'] });
  const claim = useChange('zoneClaim', { invalidates: [] });
  const navigate = useNavigate();
  const openZone = async (domain: string): Promise<void> => {
    await navigate({ to: '/dns/$domain', params: { domain } });
  };
  if (claim.data !== undefined) return <ProveControl claim={claim.data} close={close} openZone={openZone} />;
  const domain = asciiName(fields.values.domain).replace(/\.$/, '');
  return (
    <Form
      fields={fields}
      submitLabel={t('Add zone')}
      onCancel={close}
      onSubmit={async () => {
        await create.mutateAsync({ domain });
        await openZone(domain);
      }}
    >
      <TextInput
        label={t('Domain')}
        description={t('SOA and NS records are added automatically')}
        placeholder="example.net"
        required
        withAsterisk={false}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...fields.input('domain')}
      />
      {isOverlap(create.error) && create.variables?.domain === domain && (
        <Alert color="blue" variant="light" title={t('Is this domain yours?')}>
          <Stack gap="sm" align="flex-start">
            {t('Add a TXT record to prove it, and the zone moves to your account.')}
            <Button variant="light" loading={claim.isPending} onClick={() => claim.mutate({ domain })}>
              {t('Prove control')}
            </Button>
            {claim.isError && <ErrorAlert error={claim.error} />}
          </Stack>
        </Alert>
      )}
    </Form>
  );
}

function isOverlap(error: Error | null): boolean {
  return error instanceof HostyardError && (error.code === 'already_exists' || error.code === 'state_conflict');
}

interface ProveControlProps {
  readonly claim: ZoneClaim;
  readonly close: () => void;
  readonly openZone: (domain: string) => Promise<void>;
}

function ProveControl({ claim, close, openZone }: ProveControlProps): JSX.Element {
  const fields = useFormFields({});
  const verify = useChange('zoneClaimVerify', { invalidates: ['zoneList'] });
  return (
    <Form
      fields={fields}
      submitLabel={t('Verify')}
      onCancel={close}
      onSubmit={async () => {
        await verify.mutateAsync({ domain: claim.domain });
        await openZone(claim.domain);
      }}
    >
      <Text size="sm">
        {rich(
          'Add this TXT record where {domain} is served now, then verify it. You have until {day}, and can come back to this step by adding the zone again.',
          { domain: claim.domain, day: <Timestamp at={claim.expires} /> },
        )}
      </Text>
      <SecretValue label={t('Name')} secret={claim.record} />
      <SecretValue label={t('Content')} secret={claim.content} />
    </Form>
  );
}
