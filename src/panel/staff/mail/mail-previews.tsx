// Every kind of message with sample data, in the provider's texts and colours.
import { Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { useState, type JSX } from 'react';
import {
  eventMailKinds,
  mailKind,
  mailLanguages,
  type DirectMailKind,
  type EventMailKind,
} from '#contract/mail/kinds.ts';
import { useStaffRead } from '../../data/operations.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { MailFrame } from './mail-frame.tsx';
import { t, tData } from '../../text/text.ts';

type Kind = EventMailKind | DirectMailKind;

const options = [
  ...eventMailKinds.map((kind) => ({ value: kind, label: tData(mailKind(kind).label) })),
  { value: 'summary', label: t('Summary of several') },
  { value: 'test', label: t('Test message') },
];

export function MailPreviews(): JSX.Element {
  const [kind, setKind] = useState<Kind>('invoice.issued');
  const [language, setLanguage] = useState<string>('en');
  const preview = useStaffRead('mailPreview', { kind, language }, { keepsPrevious: true });
  return (
    <Stack>
      <Group>
        <Select
          aria-label={t('Message')}
          data={options}
          value={kind}
          allowDeselect={false}
          onChange={(value) => setKind((value ?? kind) as Kind)}
        />
        <SegmentedControl
          aria-label={t('Language')}
          value={language}
          onChange={setLanguage}
          data={[...mailLanguages]}
        />
      </Group>
      <QueryResult query={preview} lines={8}>
        {({ subject, html }) => <MailFrame subject={subject} html={html} />}
      </QueryResult>
    </Stack>
  );
}
