// Webhooks of the account and their deliveries.
import { Card, Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog, useSecretDialog } from '../parts/secret-dialog.tsx';
import { Icon } from '../shell/icons.tsx';
import { Deliveries } from './webhooks/deliveries.tsx';
import { WebhookCard } from './webhooks/webhook-card.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';
import { RotateSecretForm } from './webhooks/rotate-secret-form.tsx';

const titles = {
  create: 'New webhook',
  edit: () => 'Edit webhook',
  rotate: () => 'Rotate secret',
  reveal: 'Webhook secret',
};

export function WebhooksPage(): JSX.Element {
  const webhooks = useRead('webhookGet', {});
  const scopeDenial = useScopeDenial();
  const dialog = useSecretDialog<Webhook>();
  return (
    <Page
      title="Webhooks"
      description="Send account events to your applications"
      actions={
        <ActionButton
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={scopeDenial('webhook:write')}
          onClick={dialog.create}
        >
          New webhook
        </ActionButton>
      }
    >
      <QueryResult query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="webhook" title="No webhooks yet">
                Add a URL to receive signed events, for example when an installation completes or an attack starts.
              </EmptyState>
            </Card>
          ) : (
            <>
              <Stack gap="sm">
                {all.map((webhook) => (
                  <WebhookCard
                    key={webhook.id}
                    webhook={webhook}
                    edit={() => dialog.edit(webhook)}
                    rotate={() => dialog.rotate(webhook)}
                  />
                ))}
              </Stack>
              <Deliveries webhooks={all} />
            </>
          )
        }
      </QueryResult>
      <SecretDialog
        control={dialog}
        titles={titles}
        form={WebhookForm}
        formSize="lg"
        rotation={RotateSecretForm}
        secretLabel="Secret"
      >
        <Text size="sm">
          Use it to verify the <Code>webhook-signature</Code> header of each request. Libraries for Standard Webhooks
          exist for most languages.
        </Text>
      </SecretDialog>
    </Page>
  );
}
