// Webhooks of the account and their deliveries.
import { Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog, useSecretDialog } from '../parts/secret-dialog.tsx';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';
import { Deliveries } from './webhooks/deliveries.tsx';
import { WebhookCard } from './webhooks/webhook-card.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';

const titles = {
  create: t('New webhook'),
  edit: () => t('Edit webhook'),
  rotate: () => t('Rotate secret'),
  reveal: t('Webhook secret'),
};

const noWebhooks = (
  <EmptyCard icon="webhook" title={t('No webhooks yet')}>
    {t('Add a URL to receive signed events, for example when an installation completes or an attack starts.')}
  </EmptyCard>
);

export function WebhooksPage(): JSX.Element {
  const webhooks = useRead('webhookGet', {});
  const scopeDenial = useScopeDenial();
  const dialog = useSecretDialog<Webhook>();
  const rotate = useChange('webhookUpdate', { invalidates: ['webhookGet'] });
  return (
    <Page
      title={t('Webhooks')}
      description={t('Send account events to your applications')}
      actions={
        <ActionButton icon="plus" disabledReason={scopeDenial('webhook:write')} onClick={dialog.create}>
          {t('New webhook')}
        </ActionButton>
      }
    >
      <QueryResult query={webhooks} empty={noWebhooks}>
        {(all) => (
          <>
            <Stack gap="sm">
              {all.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} dialog={dialog} />
              ))}
            </Stack>
            <Deliveries webhooks={all} />
          </>
        )}
      </QueryResult>
      <SecretDialog
        control={dialog}
        titles={titles}
        form={WebhookForm}
        formSize="lg"
        rotation={({ id, url }) => ({
          description: t('Events for {url} are signed with a new secret from now on.', { url }),
          label: t('Old secret also signs for'),
          rotate: async (overlap) => (await rotate.mutateAsync({ id, rotate: true, overlap })).secret,
        })}
        secretLabel={t('Secret')}
      >
        <Text size="sm">
          {rich(
            'Use it to verify the {header} header of each request. Libraries for Standard Webhooks exist for most languages.',
            { header: <Code>webhook-signature</Code> },
          )}
        </Text>
      </SecretDialog>
    </Page>
  );
}
