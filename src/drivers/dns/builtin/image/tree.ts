// The names of all zones. Each zone is a tree of nodes, one per name that has records or has names below it, so that a missing name has
// no children and the deepest existing ancestor of any name is found by a binary search. Trees share one hash table. Tree 0 has the names
// of the zones themselves.
import { type Arena, byteAt, wordAt } from './arena.ts';
import type { NameKey } from './names.ts';
import { HashTable } from './table.ts';

/** Words of a node. Its name follows them: the length and the lower-case wire form. */
const words = { tree: 0, parent: 1, children: 2, next: 3, previous: 4, content: 5, hash: 6 };
const nameAt = 7 * Uint32Array.BYTES_PER_ELEMENT;

export class NameTrees {
  readonly arena: Arena;
  readonly #table = new HashTable();

  constructor(arena: Arena) {
    this.arena = arena;
  }

  /** Returns the content that the owner of the tree keeps at the node: a reference or a number, 0 at first. */
  content(node: number): number {
    return this.arena.wordsOf(node)[wordAt(node) + words.content]!;
  }

  setContent(node: number, content: number): void {
    this.arena.wordsOf(node)[wordAt(node) + words.content] = content;
  }

  /** 0 at the top of a tree. */
  parent(node: number): number {
    return this.arena.wordsOf(node)[wordAt(node) + words.parent]!;
  }

  hasChildren(node: number): boolean {
    return this.arena.wordsOf(node)[wordAt(node) + words.children] !== 0;
  }

  /** The next node of the tree, in no particular order, beginning with its top; 0 after the last. */
  next(node: number): number {
    return this.arena.wordsOf(node)[wordAt(node) + words.next]!;
  }

  /** The wire form of the node's name. It is only valid until the next change. */
  name(node: number): Uint8Array {
    const start = byteAt(node) + nameAt;
    const bytes = this.arena.bytesOf(node);
    return bytes.subarray(start + 1, start + 1 + bytes[start]!);
  }

  nameLength(node: number): number {
    return this.arena.bytesOf(node)[byteAt(node) + nameAt]!;
  }

  /** Returns the node at the suffix of the name that begins with this label, or 0. */
  find(tree: number, key: NameKey, label: number): number {
    const hash = treeHash(key.hashes[label]!, tree);
    for (let place = this.#table.first(hash); place >= 0; place = this.#table.next(hash, place)) {
      const node = this.#table.at(hash, place);
      if (this.#matches(node, tree, key, key.starts[label]!)) return node;
    }
    return 0;
  }

  /** Returns the node of the wildcard below the suffix that begins with this label, or 0. */
  findWildcard(tree: number, key: NameKey, label: number): number {
    const hash = treeHash(key.wildcardHash(label), tree);
    for (let place = this.#table.first(hash); place >= 0; place = this.#table.next(hash, place)) {
      const node = this.#table.at(hash, place);
      const start = byteAt(node) + nameAt;
      const bytes = this.arena.bytesOf(node);
      if (bytes[start + 1] !== 1 || bytes[start + 2] !== 0x2a) continue;
      if (this.#matches(node, tree, key, key.starts[label]!, 2)) return node;
    }
    return 0;
  }

  /**
   * Returns the first label of the longest suffix that exists, which is the name itself for 0. All shorter suffixes exist too, down to
   * the one that begins with `top`. The name and its parent are tried first, because most queries are for them.
   */
  deepest(tree: number, key: NameKey, first: number, top: number): number {
    if (first >= top || this.find(tree, key, first) !== 0) return first;
    let missing = first;
    let existing = top;
    let middle = first + 1;
    while (existing - missing > 1) {
      if (this.find(tree, key, middle) === 0) missing = middle;
      else existing = middle;
      middle = (missing + existing) >>> 1;
    }
    return existing;
  }

  /** Creates a tree by its top. */
  createTop(tree: number, key: NameKey, label = 0): number {
    return this.#create(tree, key, label, 0);
  }

  /** Returns the node of the name, which is created if it does not exist, together with those above it. `top` is the label of the top. */
  ensure(tree: number, key: NameKey, top: number): number {
    const existing = this.deepest(tree, key, 0, top);
    let node = this.find(tree, key, existing);
    for (let label = existing - 1; label >= 0; label--) node = this.#create(tree, key, label, node);
    return node;
  }

  /** Removes the node if it is empty, and then those above it that are empty as well, except the top. */
  prune(node: number): void {
    let current = node;
    while (current !== 0 && !this.hasChildren(current) && this.content(current) === 0) {
      const parent = this.parent(current);
      if (parent === 0) return;
      this.arena.wordsOf(parent)[wordAt(parent) + words.children]! -= 1;
      this.#delete(current);
      current = parent;
    }
  }

  /** Removes all nodes of a tree. Their content must have been freed. */
  removeTree(top: number): void {
    for (let node = top; node !== 0;) {
      const next = this.next(node);
      this.#delete(node);
      node = next;
    }
  }

  #create(tree: number, key: NameKey, label: number, parent: number): number {
    const start = key.starts[label]!;
    const length = key.length - start;
    const node = this.arena.allocate(nameAt + 1 + length);
    const chunk = this.arena.wordsOf(node);
    const at = wordAt(node);
    const hash = treeHash(key.hashes[label]!, tree);
    chunk[at + words.tree] = tree;
    chunk[at + words.parent] = parent;
    chunk[at + words.children] = 0;
    chunk[at + words.content] = 0;
    chunk[at + words.hash] = hash;
    chunk[at + words.previous] = parent;
    chunk[at + words.next] = 0;
    if (parent !== 0) {
      // Inserted after its parent: the top stays the first.
      const parentWords = this.arena.wordsOf(parent);
      const next = parentWords[wordAt(parent) + words.next]!;
      chunk[at + words.next] = next;
      parentWords[wordAt(parent) + words.next] = node;
      parentWords[wordAt(parent) + words.children]! += 1;
      if (next !== 0) this.arena.wordsOf(next)[wordAt(next) + words.previous] = node;
    }
    const bytes = this.arena.bytesOf(node);
    const nameStart = byteAt(node) + nameAt;
    bytes[nameStart] = length;
    for (let index = 0; index < length; index++) bytes[nameStart + 1 + index] = key.bytes[start + index]!;
    this.#table.insert(hash, node);
    return node;
  }

  #delete(node: number): void {
    const chunk = this.arena.wordsOf(node);
    const at = wordAt(node);
    const [next, previous] = [chunk[at + words.next]!, chunk[at + words.previous]!];
    if (next !== 0) this.arena.wordsOf(next)[wordAt(next) + words.previous] = previous;
    if (previous !== 0) this.arena.wordsOf(previous)[wordAt(previous) + words.next] = next;
    this.#table.remove(chunk[at + words.hash]!, node);
    this.arena.free(node, nameAt + 1 + this.nameLength(node));
  }

  /** Compares the node's name, after its first `skipped` bytes, with the end of the key from `start`. */
  #matches(node: number, tree: number, key: NameKey, start: number, skipped = 0): boolean {
    if (this.arena.wordsOf(node)[wordAt(node) + words.tree] !== tree) return false;
    const bytes = this.arena.bytesOf(node);
    const at = byteAt(node) + nameAt;
    const length = key.length - start;
    if (bytes[at]! !== length + skipped) return false;
    const first = at + 1 + skipped;
    for (let index = 0; index < length; index++) if (bytes[first + index] !== key.bytes[start + index]) return false;
    return true;
  }
}

function treeHash(hash: number, tree: number): number {
  const mixed = Math.imul(hash ^ Math.imul(tree, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
