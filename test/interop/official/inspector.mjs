// node inspector.mjs NPM SERVER: runs the command line client of the MCP Inspector in NPM against the program SERVER
// (conformance-server), over stdio, Streamable HTTP and HTTP+SSE, in each of its eras: `legacy` is the handshake,
// `modern` the stateless era, and `auto` detects the era. All outputs must be equal, except for the members that only
// one era has.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Checks, HttpServer, requirePackages, versionOf } from './support.mjs';

const [npm, program] = process.argv.slice(2);
const inspector = '@modelcontextprotocol/inspector';
requirePackages(npm, [inspector]);
console.log(`${inspector} ${versionOf(npm, inspector)}`);
const command = join(npm, 'node_modules', inspector, 'clients/cli/build/index.js');
const check = new Checks(140);
const home = mkdtempSync(join(tmpdir(), 'inspector-')); // the program writes to the home directory
process.on('exit', () => rmSync(home, { recursive: true }));

// Runs the program. Returns its status, and its output as JSON.
function run(args) {
    return new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [command, '--format', 'json', '-q', ...args],
                            { env: { ...process.env, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
        const out = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr'])
            child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
        child.on('error', reject);
        child.on('close', (status) => resolve({ status, ...out }));
    });
}

const requests = [
    ['initialize'], // prints the negotiated protocol version in both eras
    ['tools/list'],
    ['tools/call', '--tool-name', 'test_structured_content', '--tool-args-json', '{"name":"Bern"}'],
    ['resources/list'],
    ['resources/read', '--uri', 'test://static-binary'],
    ['prompts/list'],
    ['prompts/get', '--prompt-name', 'test_prompt_with_arguments', '--prompt-args', 'arg1=one', 'arg2=two'],
];

// Parts of the results that must be there.
const expected = {
    'initialize': ({ serverInfo, capabilities }) => serverInfo.name === 'conformance-server' &&
        ['tools', 'resources', 'prompts', 'logging', 'completions'].every((name) => name in capabilities),
    'tools/list': ({ tools }) => ['test_simple_text', 'test_structured_content', 'slow_compute'].every((name) =>
        tools.some((tool) => tool.name === name)),
    'tools/call': ({ structuredContent }) => structuredContent.station === 'Bern' && structuredContent.celsius === 21.5,
    'resources/list': ({ resources }) => resources.length === 3,
    'resources/read': ({ contents }) => contents[0].blob.startsWith('iVBORw0KGgo'),
    'prompts/list': ({ prompts }) => prompts.length === 5,
    'prompts/get': ({ messages }) => messages[0].content.text === "Prompt with arguments: arg1='one', arg2='two'",
};

// Removes the members that only one era has.
function common({ _meta, resultType, ttlMs, cacheScope, protocolVersion, capabilities, ...rest }) {
    for (const tool of rest.tools ?? []) delete tool.execution;
    return rest;
}

const results = {}; // by method: the first one

async function runs(label, target, era, request, version) {
    const place = `${label}, ${era}: ${request[0]}`;
    const { status, stdout, stderr } = await run([...target, '--protocol-era', era, '--method', ...request]);
    check.place = place;
    if (status !== 0) return check.fail('status 0', { status, stderr });
    const { result } = JSON.parse(stdout);
    if (request[0] === 'initialize') check.equal(result.protocolVersion, version);
    check.equal(expected[request[0]](result), true);
    results[request[0]] ??= common(result);
    check.equal(common(result), results[request[0]]);
}

async function fails(label, target, era, part) {
    const { status, stdout, stderr } = await run([...target, '--protocol-era', era, '--method', 'tools/list']);
    check.place = `${label}, ${era}`;
    check.equal([status, stdout], [1, '']);
    check.includes(stderr, part);
}

const paged = ['--page-size', '7'];
const handshakeOnly = [...paged, '--newest', '2025-11-25'];
const server = await HttpServer.start(program, paged);
const older = await HttpServer.start(program, handshakeOnly);
const newest = { legacy: '2025-11-25', modern: '2026-07-28', auto: '2026-07-28' };
const targets = { stdio: [program, ...paged], http: [server.url, '--transport', 'http'] };
const olderTargets = { stdio: [program, ...handshakeOnly], http: [older.url, '--transport', 'http'] };

const tasks = [];
for (const [carrier, target] of Object.entries(targets))
    for (const era of ['legacy', 'modern', 'auto'])
        for (const request of era === 'auto' ? [requests[0], requests[2]] : requests)
            tasks.push(() => runs(carrier, target, era, request, newest[era]));
for (const [carrier, target] of Object.entries(olderTargets)) {
    for (const request of [requests[0], requests[1]])
        tasks.push(() => runs(`${carrier}, server without the stateless era`, target, 'auto', request, newest.legacy));
    tasks.push(() => fails(`${carrier}, server without the stateless era`, target, 'modern',
                           'the server did not offer pinned protocol version 2026-07-28'));
}
const sse = [server.url.replace(/\/mcp$/, '/sse'), '--transport', 'sse'];
for (const request of [requests[0], requests[2]])
    tasks.push(() => runs('sse', sse, 'legacy', request, newest.legacy));

// Two at once, because most of the time is spent in the start of the program.
async function work() {
    for (let task = tasks.shift(); task; task = tasks.shift()) await check.step('inspector', task);
}
await Promise.all([work(), work()]);
check.equal([await server.end(), await older.end()], [0, 0]);
check.exit(90);
