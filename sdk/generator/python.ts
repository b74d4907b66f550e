// SDK generator: Python: a dataclass for every record, a Literal for every enumeration, and methods of both clients.
import type { Operation, Parameter } from './operations.ts';
import { comment, type Field, type FieldType, type Model, type RecordType, type Word } from './records.ts';
import { snake } from './schemas.ts';

const TYPES: Readonly<Record<Parameter['type'], string>> = {
  text: 'str',
  boolean: 'bool',
  integer: 'int',
  decimal: 'float',
  texts: 'Sequence[str]',
};
const FIELD_TYPES = {
  text: 'str',
  integer: 'int',
  decimal: 'float',
  boolean: 'bool',
  time: 'datetime',
  state: 'State',
} as const;
const KEYWORDS = ['from', 'class'];
const WIDTH = 120;

const safe = (name: string): string => (KEYWORDS.includes(name) ? `${name}_` : name);
const identifier = (name: string): string => safe(snake(name));
const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(', ');

export function pythonModels({ records, words }: Model): string {
  const known = new Set<string>();
  const ordered: RecordType[] = [];
  // A dataclass comes before those that have it.
  const place = (record: RecordType): void => {
    if (known.has(record.name)) return;
    known.add(record.name);
    for (const { type } of record.fields) for (const one of records) if (one.name === innermost(type)) place(one);
    ordered.push(record);
  };
  for (const record of records) place(record);
  return `"""The records of the service. Generated: see sdk/generator."""

from dataclasses import dataclass
from datetime import datetime
from typing import Dict, List, Literal, Optional, Union

# Words: those that this version knows, and any that a newer service adds.
State = Union[Literal[0, 1, 2], int]
${words.map(wordType).join('')}${ordered.map(dataclass).join('')}`;
}

const innermost = (type: FieldType): string | null =>
  'of' in type ? innermost(type.of) : type.kind === 'record' ? type.name : null;

function wordType({ name, values }: Word): string {
  const line = `${name} = Union[Literal[${quoted(values)}], str]\n`;
  if (line.length <= WIDTH) return line;
  return `${name} = Union[\n    Literal[\n${values.map((value) => `        "${value}",\n`).join('')}    ],\n    str,\n]\n`;
}

function dataclass({ name, description, fields }: RecordType): string {
  const rows = [...fields].sort((a, b) => Number(a.isOptional) - Number(b.isOptional)).map(fieldOf);
  const doc = docstring(description || 'A part of what the service answers.');
  return `\n\n@dataclass\nclass ${name}:\n${doc}\n${rows.join('\n')}`;
}

function fieldOf(field: Field): string {
  const type = plainType(field.type);
  const own = safe(field.name.replaceAll(/\W/g, '_'));
  return `    ${own}: ${field.isOptional ? `Optional[${type}] = None` : type}\n${field.description === '' ? '' : docstring(field.description)}`;
}

function docstring(text: string): string {
  const lines = comment(text, '    ', WIDTH - 6).trim();
  return lines.includes('\n') ? `    """${lines}\n    """\n` : `    """${lines}"""\n`;
}

function plainType(type: FieldType): string {
  if (type.kind === 'word' || type.kind === 'record') return type.name;
  if (type.kind === 'list') return `List[${plainType(type.of)}]`;
  return type.kind === 'map' ? `Dict[str, ${plainType(type.of)}]` : FIELD_TYPES[type.kind];
}

/** The methods of the client for threads, or of that for asyncio. */
export function pythonCalls(operations: readonly Operation[], isAsync = false): string {
  const records = [...new Set(operations.map(({ record }) => record))].sort();
  const [name, base, from] = isAsync
    ? ['AsyncCalls', 'AsyncTransport', '_async_transport']
    : ['Calls', 'Transport', '_transport'];
  return `"""Every request that the service answers. Generated: see sdk/generator."""

from typing import ${isAsync ? 'AsyncIterator' : 'Iterator'}, Optional, Sequence

from .${from} import ${base}
from .models import (
${records.map((record) => `    ${record},`).join('\n')}
)


class ${name}(${base}):
    """One method for each operation; see ${base} for what all of them raise."""
${operations.map((one) => method(one, isAsync)).join('')}`;
}

function method(operation: Operation, isAsync: boolean): string {
  const { name, method: verb, path, summary, parameters, record, isList } = operation;
  const argumentsIn = (which: Parameter['location']): string => {
    const entries = parameters.filter((one) => one.location === which);
    const texts = entries.map((one) => `"${one.name}": ${identifier(one.name)}`);
    const line = `            ${which}={${texts.join(', ')}},\n`;
    if (line.length <= WIDTH) return line;
    return `            ${which}={\n${texts.map((text) => `                ${text},\n`).join('')}            },\n`;
  };
  const given = parameters.map((one) =>
    one.isRequired
      ? `${identifier(one.name)}: ${TYPES[one.type]}`
      : `${identifier(one.name)}: Optional[${TYPES[one.type]}] = None`,
  );
  if (isList) given.push('page_size: int = 100');
  const signature = ['self', ...(given.length > 0 ? ['*', ...given] : [])].map((one) => `        ${one},\n`).join('');
  const parts = (['path', 'query', 'header', 'body'] as const)
    .filter((which) => parameters.some((one) => one.location === which))
    .map(argumentsIn);
  if (isList) parts.push('            page_size=page_size,\n');
  const isAwaited = isAsync && !isList;
  const result = isList ? `${isAsync ? 'Async' : ''}Iterator[${record}]` : record;
  return `
    ${isAwaited ? 'async ' : ''}def ${identifier(name)}(
${signature}    ) -> ${result}:
        """${summary}."""
        return ${isAwaited ? 'await ' : ''}self.${isList ? '_rows' : '_one'}(
            ${record},
            "${verb}",
            "${path}",
${parts.join('')}        )
`;
}
