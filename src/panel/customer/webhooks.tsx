// Webhooks: where the events of the account are sent, and what became of each.
import { Card, Code, Stack, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Act } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { CourseDialogue, useCourse } from '../parts/secret-course.tsx';
import { Icon } from '../shell/icons.tsx';
import { Deliveries } from './webhooks/deliveries.tsx';
import { WebhookCard } from './webhooks/webhook-card.tsx';
import { WebhookForm } from './webhooks/webhook-form.tsx';
import { WebhookRotation } from './webhooks/webhook-rotation.tsx';

const titles = {
  make: 'New webhook',
  edit: () => 'Change the webhook',
  rotate: () => 'Rotate the secret',
  show: 'The secret of your webhook',
};

export function WebhooksPage(): JSX.Element {
  const webhooks = useRead('webhookGet', {});
  const refusal = useRefusal();
  const course = useCourse<Webhook>();
  return (
    <Page
      title="Webhooks"
      about="What happens in your account, sent to your programs as it happens."
      actions={
        <Act leftSection={<Icon name="plus" size={16} />} reason={refusal('webhook:write')} onClick={course.make}>
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
                    edit={() => course.edit(webhook)}
                    rotate={() => course.rotate(webhook)}
                  />
                ))}
              </Stack>
              <Deliveries webhooks={all} />
            </>
          )
        }
      </Answer>
      <CourseDialogue
        course={course}
        titles={titles}
        form={WebhookForm}
        formSize="lg"
        rotation={WebhookRotation}
        secret="Secret"
      >
        <Text size="sm">
          Check the header <Code>webhook-signature</Code> of each request with it, as Standard Webhooks says; libraries
          for it exist in most languages.
        </Text>
      </CourseDialogue>
    </Page>
  );
}
