// Requests more IP addresses, which are assigned immediately if the provider's pool and the quota allow it, and reviewed
// by staff otherwise.
import { Alert, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { NetblockRequest, NetblockRequestInput } from '#sdk/v2.ts';
import { useChange } from '../../../data/operations.ts';
import { useScopeDenial } from '../../../data/identity.ts';
import { ActionButton } from '../../../parts/action-button.tsx';
import { FormButton } from '../../../parts/form-button.tsx';
import { useFormFields } from '../../../parts/form-fields.ts';
import { Form } from '../../../parts/form.tsx';
import { Icon } from '../../../shell/icons.tsx';
import { rich } from '../../../text/rich.ts';
import { t } from '../../../text/text.ts';

type Size = NetblockRequestInput['size'];
const sizes: Record<'ipv4' | 'ipv6', readonly { value: Size; label: string }[]> = {
  ipv4: ([32, 30, 29, 28, 27, 26, 25, 24] as const).map((length) => ({
    value: `/${length}`,
    label:
      length === 32 ? t('/32: 1 address') : t('/{length}: {count} addresses', { length, count: 2 ** (32 - length) }),
  })),
  ipv6: [{ value: '/64', label: t('/64: one network') }],
};

export function RequestAddresses({ service }: { service: string }): JSX.Element {
  return (
    <FormButton
      size="xs"
      variant="default"
      icon="plus"
      title={t('Request IP addresses')}
      disabledReason={useScopeDenial()('network:write')}
      form={(close) => <RequestForm service={service} close={close} />}
    />
  );
}

function RequestForm({ service, close }: { service: string; close: () => void }): JSX.Element {
  const fields = useFormFields<{ type: 'ipv4' | 'ipv6'; size: Size }>({ type: 'ipv4', size: '/32' });
  const { type, size } = fields.values;
  const request = useChange('netblockRequest', {
    invalidates: ['netblockList', 'netblockRequestList', 'reverseList', 'deliveryList'],
  });
  const [response, setResponse] = useState<NetblockRequest>();
  if (response !== undefined) return <RequestResult response={response} close={close} />;
  return (
    <Form
      fields={fields}
      submitLabel={t('Request')}
      onCancel={close}
      onSubmit={async () => setResponse(await request.mutateAsync({ service, type, size }))}
    >
      <Text size="sm">
        {t('Addresses beyond your plan may cost extra each month. Our staff review requests above your quota.')}
      </Text>
      <SegmentedControl
        aria-label={t('IP version')}
        data={[
          { value: 'ipv4', label: 'IPv4' },
          { value: 'ipv6', label: 'IPv6' },
        ]}
        value={type}
        onChange={(next) => {
          const family = next as 'ipv4' | 'ipv6';
          fields.set({ type: family, size: sizes[family][0]!.value });
        }}
      />
      <Select
        label={t('Size')}
        allowDeselect={false}
        data={[...sizes[type]]}
        value={size}
        error={fields.errorOf('size')}
        onChange={(next) => next !== null && fields.set({ size: next as Size })}
      />
    </Form>
  );
}

function RequestResult({ response, close }: { response: NetblockRequest; close: () => void }): JSX.Element {
  return (
    <Stack>
      {response.status === 'Assigned' ? (
        <Alert color="teal" variant="light" icon={<Icon name="check" />} title={t('Addresses assigned')} role="status">
          <Text size="sm" component="div">
            {rich('{netblock} belongs to this server. Configure it there with the lines under Configuration.', {
              netblock: (
                <Text span inherit ff="monospace" fw={600}>
                  {response.netblock}
                </Text>
              ),
            })}
          </Text>
        </Alert>
      ) : (
        <Alert
          color="blue"
          variant="light"
          icon={<Icon name="request" />}
          title={t('Request #{id} submitted', { id: response.requestid })}
          role="status"
        >
          <Text size="sm">{t('Our staff will review it. Until then it is listed under IP addresses.')}</Text>
        </Alert>
      )}
      <ActionButton variant="default" onClick={close} style={{ alignSelf: 'flex-end' }}>
        {t('Close')}
      </ActionButton>
    </Stack>
  );
}
