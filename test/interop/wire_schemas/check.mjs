// node check.mjs LOG SHARED NPM [wrong]: validates every message in the files of LOG (see
// linkspan/test/detail/message_log.hpp) against the schema of its protocol version in SHARED/schema, with the validator
// in NPM. With "wrong", each message must be invalid. Exits with 77 if a prerequisite is missing.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [log, shared, npm] = process.argv.slice(2, 5).map((path) => resolve(path));
const expects_faults = process.argv[5] === 'wrong';

function skip(why) {
    console.log(`skipped: ${why}`);
    process.exit(process.env.LINKSPAN_SKIP_NOTHING ? 1 : 77);
}

if (!existsSync(join(shared, 'schema'))) skip(`no schemas in ${shared}`);
if (!existsSync(join(npm, 'node_modules/ajv'))) skip(`no ajv in ${npm}: run test/interop/npm/install.sh`);
const require = createRequire(join(npm, 'package.json'));

// The definitions of one protocol version; their names differ between versions.
class SchemaOfVersion {
    constructor(name) {
        const schema = JSON.parse(readFileSync(join(shared, 'schema', `${name}.json`), 'utf8'));
        this.place = schema.$defs ? '$defs' : 'definitions';
        this.all = schema[this.place];
        const Ajv = require(schema.$defs ? 'ajv/dist/2020' : 'ajv');
        this.ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, logger: false });
        this.ajv.addSchema({ ...schema, $id: name }, name);
        this.name = name;
    }

    first(...names) {
        return names.find((name) => this.all[name]);
    }

    // Returns the definition with this method among those of a kind, for example "ClientRequest".
    named(kind, method) {
        const names = (this.all[kind]?.anyOf ?? []).map((entry) => entry.$ref.split('/').pop());
        return [kind, ...names].find((name) => this.all[name]?.properties?.method?.const === method);
    }

    // Returns the methods of a kind.
    methods(kind) {
        const names = this.all[kind]?.anyOf?.map((entry) => entry.$ref.split('/').pop()) ?? [kind];
        return names.map((name) => this.all[name]?.properties?.method?.const).filter(Boolean);
    }

    // Returns the violations as "pointer: message".
    faults(definition, value) {
        const validate = this.ajv.getSchema(`${this.name}#/${this.place}/${definition}`);
        if (validate(value)) return [];
        return validate.errors.map((e) => `${definition}${e.instancePath}: ${e.message}`);
    }
}

// Definitions of the messages of the extension for tasks, which has a schema of its own.
const task_definitions = {
    client: { 'tasks/get': 'GetTaskRequest', 'tasks/update': 'UpdateTaskRequest', 'tasks/cancel': 'CancelTaskRequest' },
    server: { 'notifications/tasks': 'TaskStatusNotification' },
    results: { 'tasks/get': 'GetTaskResult', 'tasks/update': 'UpdateTaskResult', 'tasks/cancel': 'CancelTaskResult' },
};
let tasks; // the schema of the extension

// Returns the definition of a message of the extension; undefined: the message is none.
function task_definition(schema, from, method, message) {
    if (schema.name !== '2026-07-28' || 'error' in message) return undefined;
    if ('method' in message) return task_definitions[from][message.method];
    return message.result?.resultType === 'task' ? 'CreateTaskResult' : task_definitions.results[method];
}

// Returns whether no schema has the method of a request: one of the tests, or one that a fault sends to a client, which
// has no method in the log.
function is_own(method, from) {
    return /^(no\/such$|own\/)/.test(method) || (method === '' && from === 'client');
}

// Validates a message against the definitions that apply to it.
function check(schema, { from, request_method: method, text }) {
    let message;
    try {
        message = JSON.parse(text);
    } catch (e) {
        return [`not JSON: ${e.message}`];
    }
    if (Array.isArray(message)) return []; // the log contains its messages, too
    const side = from === 'client' ? 'Client' : 'Server';
    const other = from === 'client' ? 'Server' : 'Client';
    const of_tasks = task_definition(schema, from, method, message);
    if (of_tasks)
        return (tasks ??= new SchemaOfVersion('ext-tasks-draft')).faults(of_tasks, message.result ?? message);
    if ('method' in message) {
        const kind = 'id' in message ? 'Request' : 'Notification';
        seen_methods.add(`${schema.name} ${side}${kind} ${message.method}`);
        const definition = schema.named(side + kind, message.method);
        if (message.method === 'no/such') return []; // used by tests to provoke a refusal
        if (!definition) return [`no ${kind.toLowerCase()} of a ${from} in ${schema.name}: ${message.method}`];
        return [...schema.faults(`JSONRPC${kind}`, message), ...schema.faults(definition, message)];
    }
    if ('error' in message) {
        if (message.id === null) delete message.id; // JSON-RPC: the request was unreadable
        else if (message.id === undefined) return ['an error without an id'];
        // Older schemas require an id, which is absent here.
        return schema
            .faults(schema.first('JSONRPCErrorResponse', 'JSONRPCError'), message)
            .filter((fault) => 'id' in message || !fault.endsWith("'id'"));
    }
    const request = schema.named(`${other}Request`, method);
    if (!request && !is_own(method, from)) return [`a result of an unknown request of a ${other}: ${method}`];
    const input = message.result?.resultType === 'input_required' && 'InputRequiredResult';
    const task = schema.name === '2025-11-25' && message.result?.task && 'CreateTaskResult';
    const result = input || task || schema.first(request?.replace(/Request$/, 'Result'), request ? 'EmptyResult' : 'Result');
    return [
        ...schema.faults(schema.first('JSONRPCResultResponse', 'JSONRPCResponse'), message),
        // Tests abbreviate the schemas of tools, for example as "{}".
        ...schema.faults(result, message.result).filter((fault) => !/\/tools\/\d+\/inputSchema:/.test(fault)),
    ];
}

const versions = {};
const counts = {};
const failures = new Map();
const seen = new Set();
const shapes = new Set(); // seen lines without their digits
const seen_methods = new Set();
const files = existsSync(log) ? readdirSync(log).filter((name) => name.endsWith('.jsonl')) : [];
for (const file of files) {
    for (const line of readFileSync(join(log, file), 'utf8').split('\n').filter(Boolean)) {
        if (seen.has(line)) continue;
        seen.add(line);
        const entry = JSON.parse(line);
        const schema = (versions[entry.protocol_version] ??= new SchemaOfVersion(entry.protocol_version));
        const side = `${entry.protocol_version} ${entry.from}`;
        const shape = side + entry.request_method + entry.text.replace(/\d+/g, '');
        if (!shapes.has(shape)) counts[side] = (counts[side] ?? 0) + 1;
        shapes.add(shape);
        const faults = check(schema, entry);
        if (expects_faults) {
            const missed = `no violation found in an invalid message of ${entry.protocol_version}`;
            if (!faults.length) failures.set(missed, entry.text);
            continue;
        }
        for (const fault of faults) {
            const key = `${entry.protocol_version}, from the ${entry.from}: ${fault}`;
            if (!failures.has(key)) failures.set(key, entry.text);
        }
    }
}

// A suite that sends nothing in a protocol version must not pass. The minimum is about two thirds of the usual number.
// Messages that differ from a counted one in digits only do not count, so that the repetitions of the simulation do not.
// Each method of each protocol version must be seen; a message that a test sends as text counts. There is no minimum if
// tests may be skipped, because then only a part of the suites may have run.
const minimum = {
    '2024-11-05': { client: 46, server: 43 },
    '2025-03-26': { client: 46, server: 46 },
    '2025-06-18': { client: 49, server: 47 },
    '2025-11-25': { client: 300, server: 520 },
    '2026-07-28': { client: 445, server: 590 },
};

// Returns the methods of a protocol version that were not seen, as "ClientRequest ping".
function unseen(version) {
    const schema = (versions[version] ??= new SchemaOfVersion(version));
    return ['ClientRequest', 'ClientNotification', 'ServerRequest', 'ServerNotification'].flatMap((kind) =>
        schema
            .methods(kind)
            .filter((method) => !seen_methods.has(`${version} ${kind} ${method}`))
            .map((method) => `${kind} ${method}`),
    );
}

// Optional notifications that neither the library nor a test sends: a server ends a subscription by its response. A
// message that was seen must not be listed here.
const unused = {
    '2026-07-28': ['ServerNotification notifications/cancelled'],
};

if (!seen.size) skip(`no messages in ${log}: run the suites that write them`);
for (const key of Object.keys(counts).sort()) console.log(`${key}: ${counts[key]} messages`);
if (!expects_faults && process.env.LINKSPAN_SKIP_NOTHING)
    for (const [version, sides] of Object.entries(minimum)) {
        const missing = unseen(version);
        const expected = unused[version] ?? [];
        for (const method of missing)
            if (!expected.includes(method)) failures.set(`${version}: no message was seen: ${method}`, '');
        for (const method of expected)
            if (!missing.includes(method)) failures.set(`${version}: listed as unused, but was seen: ${method}`, '');
        for (const [side, count] of Object.entries(sides))
            if ((counts[`${version} ${side}`] ?? 0) < count)
                failures.set(`${version}, from the ${side}: fewer than ${count} messages were seen`, '');
    }
for (const [key, text] of failures) console.error(`${key}\n    ${text.slice(0, 1000)}`);
process.exit(failures.size ? 1 : 0);
