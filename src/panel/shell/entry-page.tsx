// The frame of the pages that need no session: the brand above a card.
import { Anchor, Card, Center, Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { JSX, ReactNode } from 'react';
import mark from '../mark.svg';
import { changeLanguage, otherLanguages } from '../text/language.ts';

export interface EntryPageProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Below the card. */
  readonly footer?: ReactNode;
}

export function EntryPage({ title, children, footer }: EntryPageProps): JSX.Element {
  useDocumentTitle(`${title} · Hostyard`);
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Group gap="sm" justify="center">
          <img src={mark} width={36} height={36} alt="" />
          <Title order={1} size="h2">
            Hostyard
          </Title>
        </Group>
        <Card padding="lg" shadow="sm">
          <Title order={2} size="h4" mb="md">
            {title}
          </Title>
          {children}
        </Card>
        {footer}
        <Group justify="center">
          {otherLanguages().map(([language, name]) => (
            <Anchor
              key={language}
              component="button"
              size="sm"
              lang={language}
              onClick={() => changeLanguage(language)}
            >
              {name}
            </Anchor>
          ))}
        </Group>
      </Stack>
    </Center>
  );
}
