"""Questions about creative uses: which part of which object could serve another purpose?"""
