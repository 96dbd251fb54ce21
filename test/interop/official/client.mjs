// node client.mjs NPM SERVER: uses the official TypeScript clients in NPM against the program SERVER
// (conformance-server), over stdio, Streamable HTTP and HTTP+SSE, in each era and each protocol version.

import { Checks, HttpServer, requirePackages, versionOf } from './support.mjs';
import { CurrentSdk, FormerSdk } from './sdk.mjs';
import { install, steps } from './steps.mjs';

const [npm, program] = process.argv.slice(2);
const current = '@modelcontextprotocol/client';
const former = '@modelcontextprotocol/sdk';
const require = requirePackages(npm, [current, former]);
const check = new Checks(120);
const pageSize = 7;
const newest = '2025-11-25'; // version with a handshake

const sdks = { [current]: new CurrentSdk(require), [former]: new FormerSdk(require) };
for (const name of Object.keys(sdks)) console.log(`${name} ${versionOf(npm, name)}`);

// Connects, runs the steps, and ends the connection. `server` is an HTTP server, or undefined with stdio.
async function run({ sdk: name, carrier, mode, versions, expected, args = [] }, server) {
    const sdk = sdks[name];
    const label = `${name}, ${carrier}, ${JSON.stringify(mode)}, ${expected}`;
    const client = sdk.client(mode, versions);
    const transport = carrier === 'stdio' ? sdk.stdio(program, ['--page-size', String(pageSize), ...args])
        : carrier === 'http' ? sdk.http(server.url) : sdk.sse(server.url.replace(/\/mcp$/, '/sse'));
    const at = { sdk, client, carrier, pageSize, version: expected, stateless: expected >= '2026' };
    at.isFormer = name === former;
    // Errors that the client reports without a request; each one must be expected by a step.
    const errors = [];
    at.expectedErrors = [];
    at.takeErrors = (pattern) => {
        const taken = errors.filter((error) => pattern.test(String(error)));
        for (const error of taken) errors.splice(errors.indexOf(error), 1);
        return taken;
    };
    install(at);
    await check.step(`${label}: connect`, async () => {
        await client.connect(transport);
        client.onerror = (error) => errors.push(error);
        if (!at.isFormer) check.equal(client.getNegotiatedProtocolVersion(), expected);
    });
    if (!client.transport) return;
    for (const step of steps) await check.step(`${label}: ${step.name}`, () => step(at, check));
    at.expectedErrors.forEach(at.takeErrors);
    check.place = `${label}: reported errors`;
    check.equal(errors, []);
    client.onerror = undefined; // HTTP+SSE: the end of the stream by the client itself
    await check.step(`${label}: close`, () => close(at, transport));
}

async function close({ client, carrier, stateless }, transport) {
    const closed = new Promise((resolve) => (client.onclose = resolve));
    const child = transport._process; // stdio: undefined after close
    const session = transport.sessionId;
    const url = transport._url;
    if (carrier === 'http') check.equal(session !== undefined, !stateless);
    if (session) await transport.terminateSession();
    if (carrier === 'stdio') { // else the packages send SIGTERM after 2 s
        const exited = new Promise((resolve) => child.once('exit', resolve));
        child.stdin.end();
        await exited;
    }
    await client.close();
    await closed;
    if (carrier === 'stdio') check.equal([child.exitCode, child.signalCode], [0, null]);
    if (!session) return;
    const response = await fetch(url, {
        method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
                   'mcp-session-id': session, 'mcp-protocol-version': newest } });
    check.equal(response.status, 404);
}

// A pinned stateless version does not fall back to the handshake.
async function refuses_pinned_version(carrier, server) {
    await check.step(`pinned version, ${carrier}, server without it`, async () => {
        const sdk = sdks[current];
        const client = sdk.client({ pin: '2026-07-28' });
        const transport = carrier === 'stdio' ? sdk.stdio(program, ['--newest', newest]) : sdk.http(server.url);
        await check.fails(client.connect(transport), 'ERA_NEGOTIATION_FAILED');
    });
}

const handshake = { sdk: current, mode: 'legacy', expected: newest };
const configurations = [
    handshake,
    { sdk: former, mode: 'legacy', expected: newest },
    { sdk: current, mode: 'auto', expected: '2026-07-28' },
    { sdk: current, mode: { pin: '2026-07-28' }, expected: '2026-07-28' },
    ...['2025-06-18', '2025-03-26', '2024-11-05'].map((version) => (
        { sdk: current, mode: 'legacy', versions: [version], expected: version })),
];

const server = await HttpServer.start(program, ['--page-size', String(pageSize)]);
for (const carrier of ['stdio', 'http'])
    for (const each of configurations) await run({ ...each, carrier }, server);
for (const sdk of [current, former]) await run({ ...handshake, sdk, carrier: 'sse' }, server);

const handshakeOnly = ['--newest', newest, '--page-size', String(pageSize)];
const older = await HttpServer.start(program, handshakeOnly);
for (const carrier of ['stdio', 'http']) {
    await run({ ...handshake, mode: 'auto', carrier, args: handshakeOnly }, older);
    await refuses_pinned_version(carrier, older);
}
await check.step('end of the servers', async () => {
    check.equal(await server.end(), 0);
    check.equal(await older.end(), 0);
});
check.exit(1150);
