// Webhooks: where the events of the account are sent, and what became of each.
import { Card, Code, Modal, Stack, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Act } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Icon } from '../shell/icons.tsx';
import { Deliveries } from './webhooks/deliveries.tsx';
import { RotateForm } from './webhooks/rotate-form.tsx';
import { WebhookCard } from './webhooks/webhook-card.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';

type Doing =
  | { readonly what: 'make' }
  | { readonly what: 'edit' | 'rotate'; readonly of: Webhook }
  | { readonly what: 'show'; readonly secret: string };

const titles = {
  make: 'New webhook',
  edit: 'Change the webhook',
  rotate: 'Rotate the secret',
  show: 'The secret of your webhook',
} as const;

export function WebhooksPage(): JSX.Element {
  const webhooks = useRead('webhookGet', {});
  const refusal = useRefusal();
  const [doing, setDoing] = useState<Doing>();
  const close = (): void => setDoing(undefined);
  const show = (secret: string): void => setDoing({ what: 'show', secret });
  return (
    <Page
      title="Webhooks"
      about="What happens in your account, sent to your programs as it happens."
      actions={
        <Act
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('webhook:write')}
          onClick={() => setDoing({ what: 'make' })}
        >
          New webhook
        </Act>
      }
    >
      <Answer of={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="webhook" title="No webhooks yet">
                Name a URL, and events such as a finished reload or an attack are posted to it, signed.
              </Empty>
            </Card>
          ) : (
            <>
              <Stack gap="sm">
                {all.map((webhook) => (
                  <WebhookCard
                    key={webhook.id}
                    of={webhook}
                    edit={() => setDoing({ what: 'edit', of: webhook })}
                    rotate={() => setDoing({ what: 'rotate', of: webhook })}
                  />
                ))}
              </Stack>
              <Deliveries webhooks={all} />
            </>
          )
        }
      </Answer>
      <Modal
        opened={doing !== undefined}
        onClose={close}
        title={doing === undefined ? '' : titles[doing.what]}
        size="lg"
        closeOnClickOutside={false}
      >
        {doing?.what === 'make' && <WebhookForm close={close} onMade={show} />}
        {doing?.what === 'edit' && <WebhookForm of={doing.of} close={close} onMade={close} />}
        {doing?.what === 'rotate' && <RotateForm of={doing.of} close={close} onMade={show} />}
        {doing?.what === 'show' && (
          <ShownOnce label="Secret" secret={doing.secret} onDone={close}>
            <Text size="sm">
              Check the header <Code>webhook-signature</Code> of each request with it, as Standard Webhooks says;
              libraries for it exist in most languages.
            </Text>
          </ShownOnce>
        )}
      </Modal>
    </Page>
  );
}
