// Shows parsed Markdown with the panel's own elements.
import { Code, List, Table, Text, Title, type TitleOrder } from '@mantine/core';
import { Fragment, type JSX, type ReactNode } from 'react';
import { RunbookLink } from '../jobs/runbook.tsx';
import type { Block, Inline } from './markdown.ts';

export function MarkdownView({ blocks }: { blocks: readonly Block[] }): JSX.Element {
  return (
    <>
      {blocks.map((block, index) => (
        <Fragment key={index}>{viewBlock(block)}</Fragment>
      ))}
    </>
  );
}

function viewBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return (
        <Title order={Math.min(6, block.level) as TitleOrder} size="h4" mt="sm">
          {viewInline(block.content)}
        </Title>
      );
    case 'paragraph':
      return <Text>{viewInline(block.content)}</Text>;
    case 'list':
      return (
        <List spacing="xs">
          {block.items.map((item, index) => (
            <List.Item key={index}>{viewInline(item)}</List.Item>
          ))}
        </List>
      );
    case 'code':
      return (
        // Focusable, so that the keyboard can scroll it.
        <Code block tabIndex={0}>
          {block.text}
        </Code>
      );
    case 'table':
      return (
        // It scrolls, so that names need not be broken.
        <Table.ScrollContainer minWidth={640}>
          <Table style={{ overflowWrap: 'normal' }}>
            <Table.Thead>
              <Table.Tr>
                {block.head.map((cell, index) => (
                  <Table.Th key={index} style={{ whiteSpace: 'nowrap' }}>
                    {viewInline(cell)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {block.rows.map((row, index) => (
                <Table.Tr key={index}>
                  {row.map((cell, position) => (
                    <Table.Td key={position}>{viewInline(cell)}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      );
  }
}

function viewInline(content: readonly Inline[]): ReactNode[] {
  return content.map((part, index) => {
    if (part.kind === 'link') return <DocumentLink key={index} {...part} />;
    if (part.kind === 'code') return <Code key={index}>{part.text}</Code>;
    return part.kind === 'strong' ? <b key={index}>{viewCode(part.text)}</b> : part.text;
  });
}

/** Only runbooks are part of the panel; the other pages are files of the documentation. */
function DocumentLink({ text, target }: { text: string; target: string }): JSX.Element {
  const runbook = /^(Hostyard\w+)\.md$/.exec(target)?.[1];
  if (runbook !== undefined) return <RunbookLink page={runbook}>{text}</RunbookLink>;
  return (
    <span>
      {text} (<Code>{new URL(target, 'file:///docs/guides/alerts/').pathname.slice(1)}</Code>)
    </span>
  );
}

/** Emphasized words of our runbooks may be names in backquotes. */
function viewCode(text: string): ReactNode[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
}
