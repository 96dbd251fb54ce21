// One interface to the official TypeScript clients: @modelcontextprotocol/client (both eras) and
// @modelcontextprotocol/sdk (handshake only), which differ in the names of requests and notifications.

const self = { name: 'official-client', version: '1' };
const capabilities = { elicitation: {}, roots: { listChanged: true }, sampling: {} };

export class CurrentSdk {
    constructor(require) {
        this.require = require;
        this.sdk = require('@modelcontextprotocol/client');
    }

    // mode: 'legacy', 'auto' or { pin: VERSION }. versions: the supported protocol versions, or undefined.
    client(mode, versions) {
        const options = { capabilities, versionNegotiation: { mode } };
        if (versions) options.supportedProtocolVersions = versions;
        return new this.sdk.Client(self, options);
    }

    stdio(command, args) {
        const { StdioClientTransport } = this.require('@modelcontextprotocol/client/stdio');
        return new StdioClientTransport({ command, args });
    }

    http(url, options) {
        return new this.sdk.StreamableHTTPClientTransport(new URL(url), options);
    }

    sse(url) {
        return new this.sdk.SSEClientTransport(new URL(url));
    }

    request(client, method, params, options) {
        return client.request({ method, params }, options);
    }

    // A method that the client has no types for.
    requestUnknown(client, method) {
        return client.request({ method, params: {} }, this.sdk.specTypeSchemas.EmptyResult);
    }

    call(client, params, options) {
        return client.callTool(params, options);
    }

    onRequest(client, method, handler) {
        client.setRequestHandler(method, handler);
    }

    onNotification(client, method, handler) {
        client.setNotificationHandler(method, handler);
    }
}

export class FormerSdk {
    constructor(require) {
        this.require = (path) => require(`@modelcontextprotocol/sdk/${path}`);
        const types = this.require('types.js');
        // The schemas by method, for example "tools/list": CallToolRequestSchema has the method "tools/call".
        this.schemas = {};
        this.results = {};
        for (const [name, schema] of Object.entries(types)) {
            const method = schema?.shape?.method?.value;
            if (!method) continue;
            this.schemas[method] = schema;
            this.results[method] = types[name.replace('RequestSchema', 'ResultSchema')] ?? types.EmptyResultSchema;
        }
        this.empty = types.EmptyResultSchema;
    }

    client() {
        const { Client } = this.require('client/index.js');
        return new Client(self, { capabilities });
    }

    stdio(command, args) {
        const { StdioClientTransport } = this.require('client/stdio.js');
        return new StdioClientTransport({ command, args });
    }

    http(url, options) {
        const { StreamableHTTPClientTransport } = this.require('client/streamableHttp.js');
        return new StreamableHTTPClientTransport(new URL(url), options);
    }

    sse(url) {
        const { SSEClientTransport } = this.require('client/sse.js');
        return new SSEClientTransport(new URL(url));
    }

    request(client, method, params, options) {
        return client.request({ method, params }, this.results[method], options);
    }

    requestUnknown(client, method) {
        return client.request({ method, params: {} }, this.empty);
    }

    call(client, params, options) {
        return client.callTool(params, undefined, options);
    }

    onRequest(client, method, handler) {
        client.setRequestHandler(this.schemas[method], handler);
    }

    onNotification(client, method, handler) {
        client.setNotificationHandler(this.schemas[method], handler);
    }
}
